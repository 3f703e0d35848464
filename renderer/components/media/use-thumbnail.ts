import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { mediumQuery, parseMxcUri, thumbnailQuery } from '../../api/media.ts';
import { useServer } from '../../console-context.ts';
import { serverName } from '../../transport/server-name.ts';
import { usePreviewSettings } from './preview-settings.ts';

type Thumbnail = { address?: string | undefined; state: 'none' | 'loading' | 'shown' };

/**
 * Loads a thumbnail from the connected server, as an object URL that is valid while the component is mounted. Never
 * makes the server fetch media from another one, and skips quarantined media.
 *
 * @param pixels its width and height, at least
 * @param isSeen whether it is on screen
 */
export function useThumbnail(uri: string | undefined, pixels: number, isSeen: boolean): Thumbnail {
  const server = useServer();
  const { previews } = usePreviewSettings();
  // Only reads the cache. It has details of remote media if the server has a copy.
  const { data: medium } = useQuery({ ...mediumQuery(server, uri ?? ''), enabled: false });
  const isHere =
    uri !== undefined && (parseMxcUri(uri).origin === serverName(server.connection) || medium !== undefined);
  const isOffered = isHere && previews !== 'off' && !medium?.quarantined_by;
  const { data: image, isError } = useQuery({
    ...thumbnailQuery(server, uri ?? '', pixels),
    enabled: isOffered && isSeen,
  });
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!image || !isOffered) return;
    const url = URL.createObjectURL(image);
    setAddress(url);
    return () => {
      setAddress(undefined);
      URL.revokeObjectURL(url);
    };
  }, [image, isOffered]);
  if (address) return { address, state: 'shown' };
  return { state: isOffered && image !== null && !isError ? 'loading' : 'none' };
}
