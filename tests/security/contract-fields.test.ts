import { expect, expectTypeOf, it, vi } from 'vitest';
import { z } from 'zod';
import type { OutputOf } from '../../electron/ipc/bridge.ts';
import type { Procedure, StreamProcedure } from '../../electron/ipc/procedure.ts';
import type { Events, Procedures, StreamProcedures } from '../../electron/sections/procedures.ts';
import { bareProcedures, bareStreams } from '../support/bare-procedures.ts';

// Its dialogs are not opened here.
vi.mock('electron', () => ({}));

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
}

/** Names of every field of a schema, at any depth. */
function fieldsOf(schema: JsonSchema): readonly string[] {
  const { properties = {}, items, anyOf = [], oneOf = [], additionalProperties } = schema;
  return [
    ...Object.keys(properties),
    ...Object.values(properties).flatMap(fieldsOf),
    ...(items === undefined ? [] : fieldsOf(items)),
    ...[...anyOf, ...oneOf].flatMap(fieldsOf),
    ...(typeof additionalProperties === 'object' ? fieldsOf(additionalProperties) : []),
  ];
}
const inputOf = (type: z.ZodType) =>
  fieldsOf(z.toJSONSchema(type, { unrepresentable: 'any', io: 'input' }) as unknown as JsonSchema);

const asked = [
  ...Object.entries<Procedure>(bareProcedures).map(([name, { input }]) => [name, inputOf(input)] as const),
  ...Object.entries<StreamProcedure>(bareStreams).flatMap(([name, { open, up }]) =>
    [open, up].map((shape) => [name, inputOf(shape)] as const),
  ),
];

type Plain = string | number | boolean | bigint | symbol | null | undefined | ArrayBufferView;
/** Names of every field of a type, at any depth. */
type FieldsOf<T, Depth extends unknown[] = []> = Depth['length'] extends 9
  ? never
  : T extends Plain
    ? never
    : T extends readonly (infer Item)[]
      ? FieldsOf<Item, [...Depth, 0]>
      : {
          [K in keyof T & string]: (string extends K ? never : K) | FieldsOf<T[K], [...Depth, 0]>;
        }[keyof T & string];
type Word =
  | 'path'
  | 'folder'
  | 'directory'
  | 'url'
  | 'uri'
  | 'href'
  | 'host'
  | 'sql'
  | 'query'
  | 'header'
  | 'command'
  | 'secret'
  | 'password'
  | 'keyid'
  | 'apikey';
type Hit<Name extends string, T> = {
  [F in FieldsOf<T>]: Lowercase<F> extends `${string}${Word}${string}` ? `${Name}.${F}` : never;
}[FieldsOf<T>];
type DownOf<S extends StreamProcedure> = Parameters<Parameters<S['handle']>[1]['send']>[0];
type Told =
  | { [M in keyof Procedures]: Hit<M, OutputOf<Procedures[M]>> }[keyof Procedures]
  | { [S in keyof StreamProcedures]: Hit<S, DownOf<StreamProcedures[S]>> }[keyof StreamProcedures]
  | { [E in keyof Events]: Hit<E, Events[E]> }[keyof Events];

const forbidden =
  /path|folder|directory|url|(?<!favo)uri|href|host|sql|query|header|command|secret|password|keyId|apiKey/i;
const hits = (list: typeof asked) =>
  list.flatMap(([name, fields]) => fields.filter((field) => forbidden.test(field)).map((field) => `${name}.${field}`));

it('finds fields at every depth', () => {
  expect(asked.find(([name]) => name === 'jobs.addDropped')?.[1]).toEqual(
    expect.arrayContaining(['tokens', 'options', 'language', 'includeSpeakers', 'addsRepeats']),
  );
  expect(inputOf(z.object({ a: z.array(z.object({ path: z.string() })) }))).toContain('path');
});

/** Folders of the library are names for sorting, and no places on the disk. */
const libraryFolders = /^library\.(move\.folderId|list\.folders)$/;

/** The host of the legacy call, which main reads by the same rules as the address of the service (`readCallHost`). */
const callHost = /^(app\.describe|connection\.set(Places|Proxy)|settings\.(changed|update))\.callHost$/;

/**
 * Ids of keys in the list of the account, which are no keys; the receiver of a webhook, which the service calls and we
 * never do; the lines of headers that a user pasted to have a signature checked.
 */
const ofAccount = /^(account\.\w+\.(keyId|keys?)|webhooks\.(create|update)\.url|webhooks\.check\.headers)$/;

it('no request has a path, an address to open, SQL, a header or the id of a key (S-14)', () => {
  expect(
    hits(asked).filter((field) => !libraryFolders.test(field) && !callHost.test(field) && !ofAccount.test(field)),
  ).toEqual([]);
});

it('no answer and no event has a field for a path or a key; fields that look so hold an address of our own scheme or a name of ours', () => {
  type Settings =
    | 'app.describe'
    | 'connection.setPlaces'
    | 'connection.setProxy'
    | 'settings.changed'
    | 'settings.update';
  // The last part of a folder's path, which main cuts off (`pageSettings`).
  type FolderName = `${Settings}.${'copyFolderName' | 'watchedFolders' | 'exportFolderName' | 'folderName'}`;
  // Folders of the library are names for sorting, and no places on the disk.
  type OfLibrary = `library.list.${'folderId' | 'folders'}`;
  // Ids of keys, which are no keys; the receiver of a webhook, and the last characters of its secret.
  type OfAccount =
    | 'account.log.keyId'
    | `webhooks.${'list' | 'create' | 'rotate' | 'update'}.${'url' | 'secretSuffix'}`;
  // The first row of a table in a preview.
  type OfDocument = `exports.render.${'header' | 'hasHeader'}`;
  // Takes and drafts, with addresses of our own scheme.
  type OfSpeech =
    | `speak.${string}.mediaUrl`
    | `clone.${'read' | 'change' | 'keepRecording' | 'send'}.${'referenceUrl' | 'readingUrl'}`;
  type Left = Exclude<
    Told,
    FolderName | `${Settings}.callHost` | OfLibrary | OfAccount | OfDocument | OfSpeech | `${string}.favourites`
  >;
  // The compiler reads the types of everything that main sends; nothing of them is left at run time.
  const left = [
    'clone.chooseFile.mediaUrl',
    'command.invoked.command',
    'isolation.open.url',
    'isolation.open.wholeUrl',
    'library.audio.mediaUrl',
    'transcripts.locateMedia.mediaUrl',
    'transcripts.locateMedia.pictureUrl',
    'transcripts.open.mediaUrl',
    'transcripts.open.pictureUrl',
    'transcripts.takeSoundAgain.mediaUrl',
    'transcripts.takeSoundAgain.pictureUrl',
  ] as const satisfies readonly Left[];
  expectTypeOf<Exclude<Left, (typeof left)[number]>>().toBeNever();
});

it('the only addresses a page can pass are those of the service, which main parses by its own rules', () => {
  expect(asked.filter(([, fields]) => fields.some((field) => /address/i.test(field))).map(([name]) => name)).toEqual([
    'connection.check',
    'connection.setAddress',
    'connection.setPlaces',
  ]);
});
