/** Paths of the developer tools, which the code calls workbench. */

export const workbench = '/_gatehouse/v1';

export const workbenchPaths = {
  jwtSettings: `${workbench}/jwt`,
  jwtExplain: `${workbench}/jwt/explain`,
  jwtMint: `${workbench}/jwt/mint`,
  jwtKeys: `${workbench}/jwt/keys`,
  inspector: `${workbench}/inspector`,
  inspectorRequests: `${workbench}/inspector/requests`,
  inspectorStream: `${workbench}/inspector/stream`,
  log: `${workbench}/log`,
  logStream: `${workbench}/log/stream`,
  figures: `${workbench}/figures`,
  dialects: `${workbench}/dialects`,
  configuration: `${workbench}/configuration`,
  configurationCheck: `${workbench}/configuration/check`,
  users: `${workbench}/users`,
  clock: `${workbench}/clock`,
  signInLink: `${workbench}/sign-in-link`,
  sampleData: `${workbench}/sample-data`,
  backup: `${workbench}/backup`,
  host: `${workbench}/host`,
  hostRestart: `${workbench}/host/restart`,
  hostStop: `${workbench}/host/stop`,
  hostReset: `${workbench}/host/reset`,
  hostRestore: `${workbench}/host/restore`,
  hostTakeBack: `${workbench}/host/take-back`,
  hostConfiguration: `${workbench}/host/configuration`,
  hostTemporaryServers: `${workbench}/host/temporary-servers`,
} as const;
