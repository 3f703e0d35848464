# syntax=docker/dockerfile:1
# The homeserver with its console. Data is in /data; the configuration is /etc/gatehouse/homeserver.yaml.

FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
# The image needs neither Electron nor a browser.
RUN ELECTRON_SKIP_BINARY_DOWNLOAD=1 npm ci --ignore-scripts
COPY . .
RUN npx vite build --app && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /build/package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist/server ./dist/server
COPY --from=build /build/dist/renderer ./dist/renderer
COPY docker/homeserver.yaml /etc/gatehouse/homeserver.yaml
RUN mkdir /data && chown node:node /data && chmod 700 /data
USER node
VOLUME /data
EXPOSE 8008
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8008/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# The same V8 flags as in bin/gatehouse.js.
ENTRYPOINT ["node", "--min-semi-space-size=4", "--max-semi-space-size=4", "--heap-growing-percent=30", "dist/server/cli.js"]
CMD ["serve", "--config", "/etc/gatehouse/homeserver.yaml", "--data-dir", "/data"]
