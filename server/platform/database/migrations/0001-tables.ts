/** The tables and indexes of version 0.1.0, in SQL that both engines understand. */

/** SQL that differs between the engines. */
export type Spelling = {
  /** A primary key that numbers rows from 1 and never reuses a number. */
  id: string;
  /** Like `id`, but the number can also be given. */
  assignableId: string;
  /** Sorts a text column by its bytes, independent of the database's collation. */
  bytewise: string;
  /** Tables whose rows may be lost in a crash. */
  unlogged: string;
  withoutRowid: string;
};

/** Returns the statements that create all tables, in an order in which references resolve. */
export const tables = ({ id, assignableId, bytewise, unlogged, withoutRowid }: Spelling): string[] => [
  // Server
  `create table server_facts (
    name text primary key,
    value text not null
  )`,
  `create table background_updates (
    name text primary key,
    ordering integer not null,
    progress text not null,
    total_item_count bigint default 0 not null,
    total_duration_ms bigint default 0 not null
  )`,
  `create table scheduled_tasks (
    id text primary key,
    action text not null,
    status text not null,
    timestamp_ms bigint not null,
    resource_id text,
    params text not null,
    result text,
    error text,
    requested_by text,
    turn bigint default 0 not null,
    pending_key text,
    lease_number bigint default 0 not null,
    lease_until bigint default 0 not null
  )`,
  `create index scheduled_tasks_status on scheduled_tasks (status, timestamp_ms, id)`,
  `create index scheduled_tasks_action on scheduled_tasks (action, timestamp_ms, id)`,
  `create index scheduled_tasks_resource_id on scheduled_tasks (resource_id, timestamp_ms, id)`,
  `create index scheduled_tasks_order on scheduled_tasks (timestamp_ms, id)`,
  `create unique index scheduled_tasks_pending on scheduled_tasks (pending_key)`,
  `create index scheduled_tasks_queue on scheduled_tasks (status, action, turn, timestamp_ms, id)`,
  `create index scheduled_tasks_requester on scheduled_tasks (status, action, requested_by, turn)`,
  `create table duties (
    name text primary key,
    holder text not null,
    until_ts bigint not null
  )`,

  // Accounts
  `create table users (
    user_id text primary key,
    password_hash text,
    display_name text,
    avatar_url text,
    admin integer default 0 not null,
    deactivated integer default 0 not null,
    created_ts bigint not null,
    locked integer default 0 not null,
    suspended integer default 0 not null,
    shadow_banned integer default 0 not null,
    erased integer default 0 not null,
    user_type text,
    app_service_id text,
    last_seen_ts bigint,
    is_guest integer default 0 not null
  )`,
  `create index users_active on users (deactivated, user_id)`,
  `create index users_active_display_name on users (deactivated, display_name, user_id)`,
  `create index users_active_created_ts on users (deactivated, created_ts, user_id)`,
  `create index users_active_last_seen_ts on users (deactivated, last_seen_ts, user_id)`,
  `create index users_active_avatar_url on users (deactivated, avatar_url, user_id)`,
  `create index users_by_display_name on users (display_name, user_id)`,
  `create index users_by_created_ts on users (created_ts, user_id)`,
  `create index users_by_last_seen_ts on users (last_seen_ts, user_id)`,
  `create index users_by_avatar_url on users (avatar_url, user_id)`,
  `create index users_by_admin on users (admin, user_id)`,
  `create index users_by_locked on users (locked, user_id)`,
  `create index users_by_shadow_banned on users (shadow_banned, user_id)`,
  `create index users_by_user_type on users (user_type, user_id)`,
  `create index users_avatar on users (avatar_url)`,
  `create index users_by_is_guest on users (is_guest, user_id)`,
  `create table user_totals (
    admin integer not null,
    deactivated integer not null,
    locked integer not null,
    user_type text not null,
    part integer not null,
    total bigint not null,
    constraint user_totals_parts primary key (admin, deactivated, locked, user_type, part)
  )`,
  `create table user_words (
    word text ${bytewise} not null,
    user_id text not null references users (user_id) on delete cascade,
    primary key (word, user_id)
  ) ${withoutRowid}`,
  `create index user_words_user on user_words (user_id)`,
  `create table user_threepids (
    medium text not null,
    address text not null,
    user_id text not null references users (user_id) on delete cascade,
    validated_ts bigint not null,
    added_ts bigint not null,
    primary key (medium, address)
  )`,
  `create index user_threepids_user on user_threepids (user_id)`,
  `create table user_external_ids (
    auth_provider text not null,
    external_id text not null,
    user_id text not null references users (user_id) on delete cascade,
    primary key (auth_provider, external_id)
  )`,
  `create index user_external_ids_user on user_external_ids (user_id)`,
  `create table user_connections (
    user_id text not null references users (user_id) on delete cascade,
    ip text not null,
    user_agent text not null,
    last_seen_ts bigint not null,
    primary key (user_id, ip, user_agent)
  )`,
  `create table profile_fields (
    user_id text not null references users (user_id) on delete cascade,
    name text not null,
    value text not null,
    primary key (user_id, name)
  )`,

  // Login and registration
  `create table devices (
    user_id text not null references users (user_id) on delete cascade,
    device_id text not null,
    display_name text,
    last_seen_ts bigint,
    last_seen_ip text,
    primary key (user_id, device_id)
  )`,
  `create table access_tokens (
    token_hash text primary key,
    user_id text not null references users (user_id) on delete cascade,
    device_id text,
    created_ts bigint not null,
    expires_ts bigint,
    made_for text,
    unused integer default 0 not null
  )`,
  `create index access_tokens_user on access_tokens (user_id, device_id)`,
  `create index access_tokens_made_for on access_tokens (made_for) where made_for is not null`,
  `create table refresh_tokens (
    token_hash text primary key,
    user_id text not null references users (user_id) on delete cascade,
    device_id text not null,
    access_hash text not null,
    next_hash text,
    expires_ts bigint,
    session_ends_ts bigint
  )`,
  `create index refresh_tokens_device on refresh_tokens (user_id, device_id)`,
  `create table login_tokens (
    token_hash text primary key,
    user_id text not null references users (user_id) on delete cascade,
    expires_ts bigint not null
  )`,
  `create table openid_tokens (
    token_hash text primary key,
    user_id text not null references users (user_id) on delete cascade,
    expires_ts bigint not null
  )`,
  `create index openid_tokens_expiry on openid_tokens (expires_ts)`,
  `create table used_nonces (
    nonce text primary key,
    expires_ts bigint not null
  )`,
  `create index used_nonces_expiry on used_nonces (expires_ts)`,
  `create table registration_tokens (
    token text primary key,
    uses_allowed bigint,
    completed bigint default 0 not null,
    expiry_time bigint
  )`,
  `create table interactive_sessions (
    session_id text primary key,
    expires_ts bigint not null,
    completed text default '' not null,
    registration_token text,
    used_ts bigint,
    said text,
    result text
  )`,
  `create index interactive_sessions_token on interactive_sessions (registration_token) where registration_token is not null`,
  `create index interactive_sessions_expiry on interactive_sessions (expires_ts)`,

  // Media
  `create table media (
    media_id text primary key,
    user_id text not null,
    content_type text not null,
    upload_name text,
    size bigint not null,
    created_ts bigint not null,
    sha256 text,
    last_access_ts bigint,
    quarantined_by text,
    safe_from_quarantine integer default 0 not null,
    authenticated integer default 1 not null
  )`,
  `create index media_user on media (user_id, created_ts, media_id)`,
  `create index media_sha256 on media (sha256, quarantined_by)`,
  `create index media_use on media (last_access_ts, created_ts, media_id)`,
  `create index media_created on media (created_ts, user_id, size)`,
  `create table media_thumbnails (
    media_id text not null references media (media_id) on delete cascade,
    size_name text not null,
    content_type text,
    size bigint,
    primary key (media_id, size_name)
  )`,
  `create table pending_media (
    media_id text primary key,
    user_id text not null,
    created_ts bigint not null,
    expires_ts bigint not null
  )`,
  `create index pending_media_user on pending_media (user_id, expires_ts)`,
  `create index pending_media_expiry on pending_media (expires_ts)`,
  `create table deleted_media (
    media_id text primary key
  )`,
  `create table media_quarantine_changes (
    id ${id},
    media_id text not null,
    quarantined integer not null
  )`,
  `create table media_totals (
    user_id text primary key,
    media_count bigint not null,
    media_length bigint not null
  )`,
  `create index media_totals_media_count_asc on media_totals (media_count asc, user_id) where +media_count > 0`,
  `create index media_totals_media_count_desc on media_totals (media_count desc, user_id) where +media_count > 0`,
  `create index media_totals_media_length_asc on media_totals (media_length asc, user_id) where +media_count > 0`,
  `create index media_totals_media_length_desc on media_totals (media_length desc, user_id) where +media_count > 0`,
  `create table media_uploaders (
    part integer primary key,
    total bigint not null
  )`,
  `create table url_previews (
    id ${id},
    url text not null,
    fetched_ts bigint not null,
    preview text not null,
    media_id text
  )`,
  `create index url_previews_url on url_previews (url, fetched_ts)`,
  `create index url_previews_age on url_previews (fetched_ts)`,

  // Rooms
  `create table rooms (
    room_id text primary key,
    room_version text not null,
    creator text not null,
    created_ts bigint not null,
    name text,
    topic text,
    canonical_alias text,
    join_rule text not null,
    history_visibility text not null,
    is_public integer default 0 not null,
    joined_members integer not null,
    head_event_id text,
    head_depth bigint not null,
    avatar text,
    encryption text,
    guest_access text,
    room_type text,
    folded_name text,
    folded_topic text,
    federatable integer default 1 not null,
    state_events bigint default 0 not null
  )`,
  `create index rooms_name on rooms (name, room_id)`,
  `create index rooms_canonical_alias on rooms (canonical_alias, room_id)`,
  `create index rooms_joined_members on rooms (joined_members, room_id)`,
  `create index rooms_room_version on rooms (room_version, room_id)`,
  `create index rooms_creator on rooms (creator, room_id)`,
  `create index rooms_encryption on rooms (encryption, room_id)`,
  `create index rooms_federatable on rooms (federatable, room_id)`,
  `create index rooms_is_public on rooms (is_public, room_id)`,
  `create index rooms_join_rule on rooms (join_rule, room_id)`,
  `create index rooms_guest_access on rooms (guest_access, room_id)`,
  `create index rooms_history_visibility on rooms (history_visibility, room_id)`,
  `create index rooms_state_events on rooms (state_events, room_id)`,
  `create index rooms_search on rooms (folded_name, canonical_alias, room_id)`,
  `create index rooms_directory on rooms (is_public, joined_members, room_id)`,
  `create index rooms_public_name on rooms (is_public, name, room_id)`,
  `create table room_totals (
    is_public integer not null,
    is_empty integer not null,
    part integer not null,
    total bigint not null,
    constraint room_totals_parts primary key (is_public, is_empty, part)
  )`,
  `create table room_aliases (
    alias text primary key,
    room_id text not null references rooms (room_id) on delete cascade,
    creator text not null,
    created_ts bigint not null
  )`,
  `create index room_aliases_room on room_aliases (room_id)`,
  `create table blocked_rooms (
    room_id text primary key,
    user_id text not null,
    blocked_ts bigint not null
  )`,
  `create table events (
    stream_ordering ${id},
    event_id text not null unique,
    room_id text not null references rooms (room_id) on delete cascade,
    type text not null,
    state_key text,
    sender text not null,
    origin_server_ts bigint not null,
    depth bigint not null,
    json text not null,
    redacted_by text,
    purged integer default 0 not null,
    device_id text,
    transaction_id text,
    room_version text
  )`,
  `create index events_room on events (room_id, purged, stream_ordering)`,
  `create index events_state on events (room_id, type, state_key, stream_ordering) where state_key is not null`,
  `create index events_by_sender on events (sender, room_id, stream_ordering)`,
  `create index events_time on events (room_id, purged, origin_server_ts, stream_ordering)`,
  `create index events_state_changes on events (room_id, stream_ordering) where state_key is not null`,
  `create unique index events_transaction on events (room_id, sender, device_id, transaction_id, type) where transaction_id is not null`,
  `create index events_redacted on events (room_id, stream_ordering) where redacted_by is not null`,
  `create table current_state (
    room_id text not null references rooms (room_id) on delete cascade,
    type text not null,
    state_key text not null,
    event_id text not null,
    primary key (room_id, type, state_key)
  )`,
  `create table memberships (
    room_id text not null references rooms (room_id) on delete cascade,
    user_id text not null,
    membership text not null,
    stream_ordering bigint not null,
    forgotten integer default 0 not null,
    primary key (room_id, user_id)
  )`,
  `create index memberships_user on memberships (user_id, membership)`,
  `create index memberships_changes on memberships (user_id, stream_ordering)`,
  `create index memberships_heroes on memberships (room_id, membership, stream_ordering)`,
  `create index memberships_order on memberships (room_id, stream_ordering)`,
  `create table event_relations (
    event_id text primary key references events (event_id) on delete cascade,
    parent_id text not null,
    rel_type text not null,
    aggregation_key text,
    sender text not null,
    type text not null,
    stream_ordering bigint not null
  )`,
  `create index event_relations_parent on event_relations (parent_id, stream_ordering)`,
  `create index event_relations_sender on event_relations (parent_id, rel_type, sender, stream_ordering)`,
  `create table threads (
    root_id text primary key,
    room_id text not null references rooms (room_id) on delete cascade,
    replies integer not null,
    latest bigint not null
  )`,
  `create index threads_room on threads (room_id, latest)`,
  `create table room_media (
    stream_ordering bigint not null references events (stream_ordering) on delete cascade,
    room_id text not null,
    server_name text not null,
    media_id text not null,
    primary key (stream_ordering, server_name, media_id)
  )`,
  `create index room_media_room on room_media (room_id, server_name, media_id)`,
  `create index room_media_media on room_media (media_id, server_name, room_id)`,

  // Account data and receipts
  `create table account_data (
    user_id text not null references users (user_id) on delete cascade,
    room_id text not null,
    type text not null,
    content text not null,
    stream_id bigint default 0 not null,
    primary key (user_id, room_id, type)
  )`,
  `create index account_data_room on account_data (room_id, user_id)`,
  `create index account_data_stream on account_data (user_id, stream_id)`,
  `create table receipts (
    user_id text not null references users (user_id) on delete cascade,
    room_id text not null references rooms (room_id) on delete cascade,
    receipt_type text not null,
    thread_id text not null,
    event_id text not null,
    stream_ordering bigint not null,
    ts bigint not null,
    stream_id bigint not null,
    primary key (user_id, room_id, receipt_type, thread_id)
  )`,
  `create index receipts_room on receipts (room_id, stream_id)`,
  `create index receipts_stream on receipts (stream_id)`,
  `create table thread_subscriptions (
    user_id text not null references users (user_id) on delete cascade,
    room_id text not null references rooms (room_id) on delete cascade,
    thread_id text not null,
    subscription text,
    ended_at bigint not null,
    stream_id bigint not null,
    primary key (user_id, room_id, thread_id)
  ) ${withoutRowid}`,
  `create index thread_subscriptions_stream on thread_subscriptions (user_id, stream_id)`,
  `create index thread_subscriptions_room on thread_subscriptions (room_id)`,
  `create table presence (
    user_id text primary key references users (user_id) on delete cascade,
    presence text not null,
    status_msg text,
    last_active_ts bigint not null,
    stream_id bigint not null
  )`,
  `create index presence_stream on presence (stream_id)`,
  `create ${unlogged}table presence_connections (
    process text not null,
    user_id text not null,
    presence text not null,
    until_ts bigint not null,
    primary key (user_id, process)
  )`,
  `create index presence_connections_until on presence_connections (until_ts)`,
  `create ${unlogged}table typing (
    room_id text not null,
    user_id text not null,
    until_ts bigint not null,
    stream_id bigint not null,
    primary key (room_id, user_id)
  )`,
  `create index typing_until on typing (until_ts)`,
  `create index typing_stream on typing (stream_id)`,

  // Notifications
  `create table push_rules (
    user_id text primary key references users (user_id) on delete cascade,
    rules text not null,
    ignored text not null,
    version bigint not null,
    stream_id bigint not null
  )`,
  `create index push_rules_version on push_rules (version)`,
  `create table push_rule_version (
    version bigint not null
  )`,
  `create table push_apart (
    user_id text not null references users (user_id) on delete cascade,
    room_id text not null,
    from_place bigint not null,
    up_to_place bigint,
    primary key (user_id, room_id)
  )`,
  `create table pushers (
    id ${id},
    user_id text not null references users (user_id) on delete cascade,
    app_id text not null,
    pushkey text not null,
    device_id text,
    content text not null,
    created_ts bigint not null,
    place bigint not null,
    attempts integer default 0 not null,
    retry_ts bigint default 0 not null,
    badged integer default 0 not null,
    constraint pushers_key unique (app_id, pushkey, user_id)
  )`,
  `create index pushers_user on pushers (user_id)`,
  `create table notifying_events (
    room_id text not null references rooms (room_id) on delete cascade,
    stream_ordering bigint not null,
    thread_id text not null,
    sender text not null,
    notifies bigint not null,
    highlights bigint not null,
    own_notifies bigint not null,
    own_highlights bigint not null,
    thread_notifies bigint not null,
    thread_highlights bigint not null,
    own_thread_notifies bigint not null,
    own_thread_highlights bigint not null,
    actions text not null,
    primary key (room_id, stream_ordering)
  ) ${withoutRowid}`,
  `create index notifying_events_sender on notifying_events (room_id, sender, stream_ordering)`,
  `create index notifying_events_thread on notifying_events (room_id, thread_id, stream_ordering) where thread_id <> ''`,
  `create index notifying_events_thread_sender on notifying_events (room_id, thread_id, sender, stream_ordering) where thread_id <> ''`,
  `create table own_notifications (
    user_id text not null,
    room_id text not null,
    thread_id text not null,
    stream_ordering bigint not null,
    notifies bigint not null,
    highlights bigint not null,
    actions text not null,
    primary key (user_id, room_id, thread_id, stream_ordering)
  ) ${withoutRowid}`,
  `create index own_notifications_order on own_notifications (user_id, stream_ordering)`,

  // Encryption
  `create table device_keys (
    user_id text not null,
    device_id text not null,
    json text not null,
    constraint device_keys_device foreign key (user_id, device_id) references devices (user_id, device_id) on delete cascade,
    primary key (user_id, device_id)
  )`,
  `create table one_time_keys (
    user_id text not null,
    device_id text not null,
    algorithm text not null,
    key_id text not null,
    added_ts bigint not null,
    json text not null,
    constraint one_time_keys_device foreign key (user_id, device_id) references devices (user_id, device_id) on delete cascade,
    primary key (user_id, device_id, algorithm, key_id)
  )`,
  `create index one_time_keys_order on one_time_keys (user_id, device_id, algorithm, added_ts, key_id)`,
  `create table fallback_keys (
    user_id text not null,
    device_id text not null,
    algorithm text not null,
    key_id text not null,
    json text not null,
    used integer default 0 not null,
    constraint fallback_keys_device foreign key (user_id, device_id) references devices (user_id, device_id) on delete cascade,
    primary key (user_id, device_id, algorithm)
  )`,
  `create table cross_signing_keys (
    user_id text not null references users (user_id) on delete cascade,
    usage text not null,
    json text not null,
    free_until_ts bigint,
    primary key (user_id, usage)
  )`,
  `create table key_signatures (
    user_id text not null references users (user_id) on delete cascade,
    key_id text not null,
    target_user_id text not null,
    target_key text not null,
    signature text not null,
    primary key (target_user_id, target_key, user_id, key_id)
  )`,
  `create table key_backups (
    user_id text not null references users (user_id) on delete cascade,
    version integer not null,
    algorithm text not null,
    auth_data text not null,
    etag bigint default 0 not null,
    key_count integer default 0 not null,
    deleted integer default 0 not null,
    primary key (user_id, version)
  )`,
  `create index key_backups_latest on key_backups (user_id, version) where deleted = 0`,
  `create table key_backup_sessions (
    user_id text not null,
    version integer not null,
    room_id text not null,
    session_id text not null,
    first_message_index bigint not null,
    forwarded_count bigint not null,
    is_verified integer not null,
    session_data text not null,
    primary key (user_id, version, room_id, session_id),
    constraint key_backup_sessions_backup foreign key (user_id, version) references key_backups (user_id, version) on delete cascade
  )`,
  `create table dehydrated_devices (
    user_id text not null,
    device_id text not null,
    json text not null,
    constraint dehydrated_devices_device foreign key (user_id, device_id) references devices (user_id, device_id) on delete cascade,
    primary key (user_id)
  )`,
  `create table device_list_changes (
    user_id text not null,
    seen_by text default '' not null,
    stream_id bigint not null,
    primary key (user_id, seen_by)
  )`,
  `create index device_list_changes_stream on device_list_changes (seen_by, stream_id)`,
  `create table to_device_messages (
    user_id text not null,
    device_id text not null,
    stream_id bigint not null,
    sender text not null,
    type text not null,
    content text not null,
    constraint to_device_messages_device foreign key (user_id, device_id) references devices (user_id, device_id) on delete cascade,
    primary key (user_id, device_id, stream_id)
  )`,
  `create table to_device_transactions (
    user_id text not null references users (user_id) on delete cascade,
    device_id text not null,
    type text not null,
    transaction_id text not null,
    sent_ts bigint not null,
    primary key (user_id, device_id, type, transaction_id)
  )`,
  `create index to_device_transactions_age on to_device_transactions (sent_ts)`,

  // Sync
  `create table filters (
    user_id text not null,
    filter_id text not null,
    filter text not null,
    primary key (user_id, filter_id)
  )`,
  `create table sliding_positions (
    position ${id},
    user_id text not null,
    device_id text not null,
    connection_id text not null,
    state text not null,
    used_ts bigint not null
  )`,
  `create index sliding_positions_connection on sliding_positions (user_id, device_id, connection_id, position)`,

  // Application services
  `create table app_service_places (
    app_service_id text primary key,
    events_place bigint not null,
    changes_place bigint not null,
    transaction_number bigint not null,
    transaction_body text,
    next_events_place bigint not null,
    next_changes_place bigint not null,
    attempts integer not null,
    retry_ts bigint not null
  )`,
  `create table app_service_rooms (
    app_service_id text not null,
    network_id text not null,
    room_id text not null references rooms (room_id) on delete cascade,
    primary key (app_service_id, network_id, room_id)
  ) ${withoutRowid}`,
  `create index app_service_rooms_room on app_service_rooms (room_id)`,

  // Reports
  `create table event_reports (
    id ${assignableId},
    received_ts bigint not null,
    room_id text not null,
    event_id text not null,
    user_id text not null,
    sender text not null,
    reason text,
    score bigint
  )`,
  `create index event_reports_order on event_reports (received_ts, id)`,
  `create index event_reports_room_id on event_reports (room_id, received_ts, id)`,
  `create index event_reports_user_id on event_reports (user_id, received_ts, id)`,
  `create index event_reports_sender on event_reports (sender, received_ts, id)`,
  `create index event_reports_room_id_user_id on event_reports (room_id, user_id, received_ts, id)`,
  `create index event_reports_room_id_sender on event_reports (room_id, sender, received_ts, id)`,
  `create index event_reports_user_id_sender on event_reports (user_id, sender, received_ts, id)`,
  `create table event_report_totals (
    room_id text not null,
    user_id text not null,
    sender text not null,
    part integer not null,
    total bigint not null,
    constraint event_report_totals_parts primary key (room_id, user_id, sender, part)
  )`,
  `create table event_report_order (
    changes bigint not null,
    followed bigint default 0 not null
  )`,
  `create table event_report_places (
    room_id text not null,
    user_id text not null,
    sender text not null,
    received_ts bigint not null,
    id bigint not null,
    reports integer not null,
    constraint event_report_places_key primary key (room_id, user_id, sender, received_ts, id)
  )`,
  `create table user_reports (
    id ${assignableId},
    received_ts bigint not null,
    target_user_id text not null,
    user_id text not null,
    reason text not null
  )`,
  `create index user_reports_order on user_reports (received_ts, id)`,
  `create index user_reports_target_user_id on user_reports (target_user_id, received_ts, id)`,
  `create index user_reports_user_id on user_reports (user_id, received_ts, id)`,
  `create table user_report_totals (
    target_user_id text not null,
    user_id text not null,
    part integer not null,
    total bigint not null,
    constraint user_report_totals_parts primary key (target_user_id, user_id, part)
  )`,
  `create table room_reports (
    id ${id},
    received_ts bigint not null,
    room_id text not null,
    user_id text not null,
    reason text not null
  )`,
  `create index room_reports_room on room_reports (room_id, received_ts)`,
];
