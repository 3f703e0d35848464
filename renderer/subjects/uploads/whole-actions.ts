/** What can be done to all that someone uploaded. */
export const ofUserMedia = ['quarantine-user-media', 'release-user-media', 'delete-user-media'];

export const ofRoomMedia = ['quarantine-room-media', 'release-room-media'];
