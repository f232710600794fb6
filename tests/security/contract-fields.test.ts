import { expect, it } from 'vitest';
import { z } from 'zod';
import { contract } from '../../shared/ipc/contract.ts';

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
const schemaOf = (type: z.ZodType, io: 'input' | 'output') =>
  z.toJSONSchema(type, { unrepresentable: 'any', io }) as unknown as JsonSchema;

const requests = Object.entries(contract.requests);
const streams = Object.entries(contract.streams);
const asked = [
  ...requests.map(([name, { input }]) => [name, fieldsOf(schemaOf(input(), 'input'))] as const),
  ...streams.flatMap(([name, { open, up }]) =>
    [open, up].map((shape) => [name, fieldsOf(schemaOf(shape(), 'input'))] as const),
  ),
];
const told = [
  ...requests.map(([name, { output }]) => [name, fieldsOf(schemaOf(output(), 'output'))] as const),
  ...streams.map(([name, { down }]) => [name, fieldsOf(schemaOf(down(), 'output'))] as const),
  ...Object.entries(contract.events).map(
    ([name, { payload }]) => [name, fieldsOf(schemaOf(payload(), 'output'))] as const,
  ),
];
const forbidden =
  /path|folder|directory|url|(?<!favo)uri|href|host|sql|query|header|command|secret|password|keyId|apiKey/i;
const hits = (list: typeof asked) =>
  list.flatMap(([name, fields]) => fields.filter((field) => forbidden.test(field)).map((field) => `${name}.${field}`));

it('finds fields at every depth', () => {
  expect(asked.find(([name]) => name === 'jobs.addDropped')?.[1]).toEqual(
    expect.arrayContaining(['tokens', 'options', 'language', 'includeSpeakers', 'addsRepeats']),
  );
  expect(fieldsOf(schemaOf(z.object({ a: z.array(z.object({ path: z.string() })) }), 'input'))).toContain('path');
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
  // The last part of a folder's path, which main cuts off (`pageSettings`).
  const folderNames =
    /^(app\.describe|connection\.set(Places|Proxy)|settings\.(changed|update))\.((copy|watch|export)F|f)olderName$/;
  expect(
    [...new Set(hits(told))]
      .filter((field) => !folderNames.test(field) && !libraryFolders.test(field) && !callHost.test(field))
      .toSorted(),
  ).toEqual([
    'clone.chooseFile.mediaUrl',
    'command.invoked.command',
    'isolation.open.url',
    'isolation.open.wholeUrl',
    'library.audio.mediaUrl',
    'transcripts.locateMedia.mediaUrl',
    'transcripts.open.mediaUrl',
    'transcripts.takeSoundAgain.mediaUrl',
  ]);
});

it('the only addresses a page can pass are those of the service, which main parses by its own rules', () => {
  expect(asked.filter(([, fields]) => fields.some((field) => /address/i.test(field))).map(([name]) => name)).toEqual([
    'connection.check',
    'connection.setAddress',
    'connection.setPlaces',
  ]);
});
