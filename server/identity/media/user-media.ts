/** What one user uploaded, for administrators. */
import { maximumMediaPerPage, type UserMediaQuery } from '../../../shared/api/media-administration.ts';
import { requireUserId, serverOf } from '../../platform/core/identifiers.ts';
import { MatrixError, notFound } from '../../platform/core/matrix-error.ts';
import { findUser } from '../accounts/user-store.ts';
import { removeUserMedia } from './delete-media.ts';
import { countUserMedia, listUserMedia, type Media } from './media-store.ts';
import type { MediaContext } from './upload.ts';

/** A page of a user's uploads. @throws MatrixError 400, 404 where there is no such user here */
export async function readUserMedia(
  { db, config }: Pick<MediaContext, 'db' | 'config'>,
  userId: string,
  query: UserMediaQuery,
): Promise<{ media: Media[]; total: number }> {
  await requireLocalUser({ db, config }, userId);
  const total = await countUserMedia(db, userId);
  const page = pageOf(query);
  const media = page.from < total ? await listUserMedia(db, userId, page) : [];
  return { media, total };
}

/** Deletes that page and gives the identifiers. @throws MatrixError 400, 404 where there is no such user here */
export async function deleteUserMedia(
  context: MediaContext,
  userId: string,
  query: UserMediaQuery,
): Promise<string[]> {
  await requireLocalUser(context, userId);
  return removeUserMedia(context, userId, pageOf(query));
}

function pageOf({ from, limit, order_by, dir }: UserMediaQuery) {
  return {
    from,
    limit: Math.min(limit, maximumMediaPerPage),
    orderBy: order_by ?? 'created_ts',
    direction: dir ?? (order_by === undefined ? 'b' : 'f'),
  } as const;
}

async function requireLocalUser(
  { db, config }: Pick<MediaContext, 'db' | 'config'>,
  userId: string,
): Promise<void> {
  if (serverOf(requireUserId(userId)) !== config.serverName) {
    throw new MatrixError(400, 'M_UNKNOWN', 'Can only look up local users');
  }
  if (!(await findUser(db, userId))) throw notFound('Unknown user');
}
