/** Every permission and its possible levels (contract 2.2). `none` means no access. */
export const permissionLevels = {
  text_to_speech: ['none', 'read', 'write', 'access'],
  tts_realtime: ['none', 'access'],
  speech_to_text: ['none', 'read', 'write', 'access'],
  stt_realtime: ['none', 'access'],
  audio_isolation: ['none', 'read', 'write', 'access'],
  llm: ['none', 'read', 'write', 'access'],
  // The catalogue names none and read; the cloning flow also uses write and access (4.12).
  voices: ['none', 'read', 'write', 'access'],
  webhooks: ['access'],
} as const;

export type PermissionId = keyof typeof permissionLevels;
export type PermissionLevel = 'none' | 'read' | 'write' | 'access';

/** The grant that is equivalent to a scope, the older notation (contract 2.3). */
export const scopeGrants = {
  'tts:read': 'text_to_speech: read',
  'tts:write': 'text_to_speech: write',
  'tts:realtime': 'tts_realtime: access',
  'stt:read': 'speech_to_text: read',
  'stt:write': 'speech_to_text: write',
  'stt:realtime': 'stt_realtime: access',
  'llm:read': 'llm: read',
  'llm:write': 'llm: write',
  'voices:read': 'voices: read',
  'audio_isolation:read': 'audio_isolation: read',
  'audio_isolation:write': 'audio_isolation: write',
  'webhooks:write': 'webhooks: access',
} as const satisfies Readonly<Record<string, `${PermissionId}: ${PermissionLevel}`>>;

/** Whether a key with `held` may do what needs `needed`. Write does not include read (contract 5.6). */
export const allows = (held: PermissionLevel, needed: PermissionLevel): boolean =>
  held === needed || held === 'access' || needed === 'none';
