import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openServiceClient, type ServiceClient } from '../../electron/service/client.ts';
import type { SttApi } from '../../electron/service/stt.ts';
import { startPracticeServer, type PracticeServer } from '../../electron/practice/server.ts';
import { Secret } from '../../electron/secret/secret.ts';
import { createTextSync } from '../../electron/services/transcripts/text-sync.ts';
import { readStoredVersion } from '../../electron/storage/read-stored-text.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { listComments, writeComment } from '../../shared/domain/transcript/comments.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { compareTranscripts } from '../../shared/domain/transcript/compare.ts';
import { replaceText } from '../../shared/domain/transcript/edit-segments.ts';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import { packChange, unpackChange } from '../../shared/domain/transcript/packed.ts';
import { err, ok } from '../../shared/result/result.ts';
import { samplePath } from '../practice/practice-client.ts';
import { openStore, storeText, valueOf } from './open-library.ts';

let server: PracticeServer;
let client: ServiceClient;
const folders: string[] = [];
beforeAll(async () => {
  server = await startPracticeServer({ pace: { queuedMs: 0, processingMs: 0 } });
  client = openServiceClient({
    connection: () => ({
      kind: 'practice',
      baseUrl: server.url,
      key: new Secret(server.token),
      accessToken: new Secret(server.accessToken),
    }),
    log: { write: () => undefined },
    allowsLoopbackHttp: true,
  });
});
afterAll(async () => {
  await client.close();
  await server.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/**
 * A transcript of the practice service in a library, and the sender of its edits; `pass` fires the timer that is set.
 */
async function open(replaced: Partial<SttApi> = {}) {
  const path = samplePath('podcast-en.flac');
  const { size, mtimeMs } = statSync(path);
  const source = { path, name: 'podcast-en.flac', sizeBytes: size, mtimeMs };
  const idempotencyKey = randomUUID();
  const taken = await client.stt.submit({ source, language: 'en', includeSpeakers: true, idempotencyKey });
  const { remoteId } = valueOf(taken);
  if (remoteId === null) throw new Error('not taken');
  const received = async () => valueOf(await client.stt.readText(remoteId)).transcript;
  await expect.poll(received).not.toBeNull();
  const there = await received();
  if (there === null) throw new Error('no text');
  const folder = mkdtempSync(join(tmpdir(), 'ovoz-sync-'));
  folders.push(folder);
  const { store } = openStore(folder);
  const spoken = toTranscript(there, { language: 'en', durationMs: 60_000 });
  storeText(store, 't1', spoken, { remoteId });
  const timers: (() => void)[] = [];
  const settings = { isOn: true };
  const begin = () =>
    createTextSync({
      store,
      texts: {
        version: async (id, revision) => {
          const read = valueOf(readStoredVersion(join(folder, 'library.db'), id, revision));
          if (read === null) throw new Error('no version');
          return ok(read);
        },
      },
      api: { ...client.stt, ...replaced },
      clock: {
        now: () => 7,
        monotonic: () => 7,
        after: (_ms, run) => {
          timers.push(run);
          return () => void timers.splice(timers.indexOf(run), 1);
        },
      },
      log: { write: () => undefined },
      isOn: () => settings.isOn,
    });
  const now = () => {
    const found = valueOf(store.transcript('t1'));
    if (found === null) throw new Error('no transcript');
    return found;
  };
  const edit = (typed: string) => {
    const { transcript, revision } = now();
    const change = replaceText(transcript, transcript.segments[0]?.id ?? '', typed);
    store.edit('t1', revision, [{ atMs: 6, label: 'type', change: packChange(valueOf(change)) }]);
  };
  const comment = (segmentId: string) => {
    const { transcript, revision } = now();
    const change = writeComment(transcript, { id: 'c', text: 'Check' }, [{ segmentId, from: 0, to: 2 }]);
    store.edit('t1', revision, [{ atMs: 6, label: 'comment', change: packChange(valueOf(change)) }]);
  };
  const textThere = async () => valueOf(await client.stt.readText(remoteId)).transcript?.segments[0]?.text ?? '';
  /** A change of the text made on another computer. */
  const editThere = async (typed: string) => {
    const { revision } = valueOf(await client.stt.readText(remoteId));
    const changed = valueOf(replaceText(spoken, spoken.segments[0]?.id ?? '', typed));
    return client.stt.saveText(remoteId, revision ?? 0, valueOf(applyChange(spoken, changed)).transcript);
  };
  const pass = () => timers.splice(0).forEach((run) => run());
  return { begin, sync: begin(), spoken, settings, now, edit, comment, textThere, editThere, pass, timers, remoteId };
}

it('an edited text replaces the one in the account after a pause, and only if this is switched on', async () => {
  const { sync, settings, edit, textThere, pass, timers } = await open();
  const first = await textThere();
  expect(sync.describe('t1')).toEqual({ state: 'same', sentAtMs: null, failure: null });
  settings.isOn = false;
  edit('Corrected here.');
  sync.edited('t1');
  expect([sync.describe('t1').state, timers.length, await textThere()]).toEqual(['off', 0, first]);
  settings.isOn = true;
  sync.edited('t1');
  expect(sync.describe('t1').state).toBe('waiting');
  pass();
  await expect.poll(textThere).toBe('Corrected here.');
  await expect.poll(() => sync.describe('t1')).toEqual({ state: 'same', sentAtMs: 7, failure: null });
  edit('Corrected twice.');
  sync.edited('t1');
  pass();
  await expect.poll(textThere).toBe('Corrected twice.');
  expect(timers).toEqual([]);
});

it('changes made there too are never overwritten: both stay, until the user has compared them', async () => {
  const { sync, spoken, now, edit, editThere, textThere, pass } = await open();
  edit('Corrected here.');
  await editThere('Changed in the browser.');
  sync.edited('t1');
  pass();
  await expect.poll(() => sync.describe('t1').state).toBe('conflict');
  expect([await textThere(), now().transcript.segments[0]?.text]).toEqual([
    'Changed in the browser.',
    'Corrected here.',
  ]);
  const theirs = valueOf(await sync.atService('t1'));
  const firstAfter = (change: typeof theirs.change) =>
    valueOf(applyChange(now().transcript, unpackChange(change))).transcript.segments[0]?.text;
  expect(firstAfter(theirs.change)).toBe('Changed in the browser.');
  // The text that both were made from is known too, so that it is seen who changed what.
  expect(theirs.base === null ? null : firstAfter(theirs.base)).toBe(spoken.segments[0]?.text);
  // It is changed there once more while they are compared: the version that was compared no longer exists.
  await editThere('Changed again.');
  expect((await sync.replace('t1', theirs.remoteRevision)).ok && sync.describe('t1').state).toBe('conflict');
  expect(await textThere()).toBe('Changed again.');
  await sync.replace('t1', valueOf(await sync.atService('t1')).remoteRevision);
  expect([sync.describe('t1').state, await textThere()]).toEqual(['same', 'Corrected here.']);
});

it('a comment, which is never sent, is no difference to the account and stays on the words of its text', async () => {
  const { sync, spoken, now, comment, edit, editThere, settings } = await open();
  const [first, second] = spoken.segments;
  settings.isOn = false;
  edit('Corrected here.');
  await editThere('Changed in the browser.');
  comment(second?.id ?? '');
  const { change, base } = valueOf(await sync.atService('t1'));
  const { transcript } = now();
  const [theirs, both] = [change, base ?? []].map(
    (packed) => valueOf(applyChange(transcript, unpackChange(packed))).transcript,
  );
  expect(listComments(theirs ?? spoken)).toEqual(listComments(transcript));
  const changedIn = (other: typeof theirs) =>
    compareTranscripts(other ?? spoken, transcript).flatMap(({ isSame, after }) => (isSame ? [] : after));
  expect([theirs, both].map((other) => changedIn(other).map(({ id }) => id))).toEqual([[first?.id], [first?.id]]);
});

it('a lost answer is no conflict with ourselves, even after a restart', async () => {
  let isLost = true;
  const opened = await open({
    saveText: async (remoteId, revision, text) => {
      const saved = await client.stt.saveText(remoteId, revision, text);
      if (!isLost) return saved;
      isLost = false;
      return err(makeFailure('service-troubled'));
    },
  });
  opened.edit('Corrected here.');
  opened.sync.edited('t1');
  opened.pass();
  await expect.poll(() => opened.sync.describe('t1').failure?.kind).toBe('service-troubled');
  opened.edit('Corrected here, and further.');
  opened.sync.close();
  const later = opened.begin();
  later.start();
  opened.pass();
  await expect.poll(opened.textThere).toBe('Corrected here, and further.');
  await expect.poll(() => later.describe('t1').state).toBe('same');
});

it('without a revision there is no safe edit: nothing is sent; an unsent title is sent later', async () => {
  const told: string[] = [];
  const { sync, edit, textThere, pass } = await open({
    readText: async (remoteId) => {
      const read = await client.stt.readText(remoteId);
      return read.ok ? ok({ ...read.value, revision: null }) : read;
    },
    rename: async (_remoteId, title) => {
      told.push(title);
      return told.length === 1 ? err(makeFailure('service-troubled')) : ok(null);
    },
  });
  const first = await textThere();
  edit('Corrected here.');
  sync.edited('t1');
  sync.renamed('t1', 'Suhbat');
  pass();
  await expect.poll(() => sync.describe('t1').state).toBe('not-offered');
  expect(await textThere()).toBe(first);
  await expect.poll(() => told).toEqual(['Suhbat']);
  await expect
    .poll(() => {
      pass();
      return told;
    })
    .toEqual(['Suhbat', 'Suhbat']);
});
