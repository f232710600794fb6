/** What a grant allows: `access` is reading and writing together, or all there is for a realtime product. */
export type Level = 'none' | 'read' | 'write' | 'access';

interface CatalogEntry {
  readonly name: string;
  readonly description: string;
  readonly levels: readonly Level[];
}

const readAndWrite: readonly Level[] = ['none', 'read', 'write', 'access'];
const allOrNothing: readonly Level[] = ['none', 'access'];

/** The permissions of contract 2.2; `voices` has the levels that cloning uses as well. */
export const permissions = {
  text_to_speech: { name: 'Text to speech', description: 'Speech from text, and its history', levels: readAndWrite },
  tts_realtime: { name: 'Realtime text to speech', description: 'Speech as a stream', levels: allOrNothing },
  speech_to_text: { name: 'Speech to text', description: 'Saved transcriptions', levels: readAndWrite },
  stt_realtime: { name: 'Realtime speech to text', description: 'Dictation as a stream', levels: allOrNothing },
  audio_isolation: { name: 'Voice isolation', description: 'Noise taken out of recordings', levels: readAndWrite },
  llm: { name: 'Language models', description: 'Models, completions and files for them', levels: readAndWrite },
  voices: { name: 'Voices', description: 'The catalogue of voices, and voices of your own', levels: readAndWrite },
  webhooks: { name: 'Webhooks', description: 'Events told to an address of yours', levels: allOrNothing },
} as const satisfies Readonly<Record<string, CatalogEntry>>;

export type PermissionId = keyof typeof permissions;
export const permissionIds = Object.keys(permissions) as [PermissionId, ...PermissionId[]];

export type Grants = Readonly<Partial<Record<PermissionId, Level>>>;

export interface Need {
  readonly permission: PermissionId;
  readonly level: 'read' | 'write' | 'access';
}

const allowedBy: Readonly<Record<Level, readonly Need['level'][]>> = {
  none: [],
  read: ['read'],
  write: ['write'],
  access: ['read', 'write', 'access'],
};

/** Whether grants cover a need. Writing does not include reading: a key that only writes sees no status. */
export const isGranted = (grants: Grants, need: Need): boolean =>
  allowedBy[grants[need.permission] ?? 'none'].includes(need.level);

/** The scopes of contract 2.3, and what each grants. */
export const scopes = {
  'tts:read': { permission: 'text_to_speech', level: 'read' },
  'tts:write': { permission: 'text_to_speech', level: 'write' },
  'tts:realtime': { permission: 'tts_realtime', level: 'access' },
  'stt:read': { permission: 'speech_to_text', level: 'read' },
  'stt:write': { permission: 'speech_to_text', level: 'write' },
  'stt:realtime': { permission: 'stt_realtime', level: 'access' },
  'llm:read': { permission: 'llm', level: 'read' },
  'llm:write': { permission: 'llm', level: 'write' },
  'voices:read': { permission: 'voices', level: 'read' },
  'audio_isolation:read': { permission: 'audio_isolation', level: 'read' },
  'audio_isolation:write': { permission: 'audio_isolation', level: 'write' },
  'webhooks:write': { permission: 'webhooks', level: 'access' },
} as const satisfies Readonly<Record<string, Need>>;

export type Scope = keyof typeof scopes;
export const scopeIds = Object.keys(scopes) as [Scope, ...Scope[]];

/** The grants that a list of scopes expands to. */
export function grantsOfScopes(given: readonly Scope[]): Grants {
  const grants: Partial<Record<PermissionId, Level>> = {};
  for (const scope of given) {
    const { permission, level } = scopes[scope];
    const known = grants[permission];
    grants[permission] = known === undefined || known === level ? level : 'access';
  }
  return grants;
}

/** The scopes equivalent to the grants, where there are any. */
export const scopesOfGrants = (grants: Grants): readonly Scope[] =>
  scopeIds.filter((scope) => isGranted(grants, scopes[scope]));
