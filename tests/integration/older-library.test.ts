import { cpSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSettingsForTerminal } from '../../electron/platform/node/settings-conf.ts';
import { systemClientClock } from '../../electron/service/transport.ts';
import type { LibraryListing } from '../../electron/services/library-items/library-items.ts';
import { type Workspace } from '../../electron/workspace/open-workspace.ts';
import type { LibraryKind } from '../../shared/domain/library/library-item.ts';
import { applyChange } from '../../shared/domain/transcript/change.ts';
import { unpackChange } from '../../shared/domain/transcript/packed.ts';
import type { Transcript } from '../../shared/domain/transcript/transcript.ts';
import { openApp, valueOf } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const fixture = fileURLToPath(new URL('../fixtures/library-2026-11', import.meta.url));
const folder = folderOfFile();
const takes = {
  kept: '11111111-2222-4333-8444-555555555555',
  saved: '22222222-3333-4444-8555-666666666666',
  trashed: '33333333-4444-4555-8666-777777777777',
};
const spoken = { unnamed: '44444444-5555-4666-8777-888888888888', named: '55555555-6666-4777-8888-999999999999' };
const voiceId = 'voice_practice_uz_lola';
const recordings = '/home/user/Recordings';

let workspace: Workspace;
let listing: LibraryListing;

const itemOf = (kind: LibraryKind, title: string) => {
  const found = listing.items.find((item) => item.kind === kind && item.title === title);
  if (found === undefined) throw new Error(`there is no ${kind} ${title}`);
  return found;
};
const textOf = async (title: string) => valueOf(await workspace.transcripts.open(itemOf('transcript', title).id));
const linesOf = ({ segments }: Transcript) =>
  segments.map(({ speakerId, startMs, endMs, text }) => [speakerId, startMs, endMs, text]);
const marksOf = ({ segments }: Transcript) =>
  segments.flatMap(({ words }) => words.flatMap(({ text, mark }) => (mark === undefined ? [] : [[text, mark]])));

beforeAll(async () => {
  cpSync(fixture, folder, { recursive: true });
  // Three hours after it was closed: nothing in its trash is due.
  const clock = { ...systemClientClock, now: () => Date.parse('2026-11-20T12:00:00Z') };
  workspace = await openApp(folder, () => null, { clock });
  await workspace.jobs.start();
  listing = valueOf(await workspace.items.list());
});
afterAll(async () => {
  await workspace.close();
});

describe('a library of November 2026, opened today', () => {
  it('opens without a word about damage', () => {
    expect(workspace.notice).toBeNull();
  });

  it('has every item, with its title, length, states and place in the trash', () => {
    const shown = listing.items.map(({ kind, title, durationMs, states, trashedAtMs }) => [
      kind,
      title,
      durationMs,
      states,
      trashedAtMs !== null,
    ]);
    expect(shown).toEqual([
      ['conversation', 'Совещание', null, [], true],
      ['conversation', 'Olma narxi', null, [], false],
      ['speech', 'Tabrik', 150, [], false],
      ['speech', 'Salom. Xayr.', 450, [], false],
      ['isolation', 'Olib tashlangan', 300, [], false],
      ['isolation', 'Uzun', 300, ['excerpt'], false],
      ['isolation', 'Shovqinli', 300, [], false],
      ['transcript', 'Созвон', 8072, ['unedited', 'made-at-service'], false],
      ['transcript', 'Yigʻilish', 8000, ['unedited', 'made-at-service'], false],
      ['transcript', 'Chiqindi', 900, ['unedited', 'no-recording'], true],
      ['transcript', 'Совещание в Ташкенте', 3000, ['unedited', 'no-recording'], false],
      ['transcript', 'Bozordagi suhbat', 2900, ['edited', 'no-recording'], false],
      ['dictation', 'Tashlangan diktovka.', 250, [], true],
      ['transcript', 'Diktovkadan hujjat', 250, ['unedited'], false],
      ['dictation', 'Uchrashuv', 500, [], false],
    ]);
    expect(itemOf('transcript', 'Bozordagi suhbat')).toMatchObject({
      sourceName: 'Bozor.srt',
      language: 'uz',
      speakers: ['Dilnoza', 'Олег Петров'],
    });
    expect(itemOf('isolation', 'Shovqinli')).toMatchObject({ sizeBytes: 28_844, credits: '1' });
    expect(itemOf('speech', 'Tabrik')).toMatchObject({ sizeBytes: 7244, characters: 7 });
  });

  it('has an edited text with its speakers, its redacted and cut words, its silence and its times', async () => {
    const { transcript, revision } = await textOf('Bozordagi suhbat');
    expect(revision).toBe(9);
    expect(transcript.speakers).toEqual([
      { id: 'sp-1', name: 'Dilnoza', colour: 5 },
      { id: 'sp-2', name: 'Олег Петров' },
    ]);
    expect(linesOf(transcript)).toEqual([
      ['sp-1', 0, 900, 'Bozorda olma ikki ming soʻm edi.'],
      ['sp-1', 1000, 1900, 'Telefon raqami 901234567.'],
      ['sp-2', 2000, 2900, 'Shovqin kuchli edi.'],
    ]);
    expect(marksOf(transcript)).toEqual([
      ['901234567.', 'redacted'],
      ['Shovqin', 'cut'],
      ['kuchli', 'cut-redacted'],
    ]);
    expect(transcript.cuts).toEqual([{ startMs: 900, endMs: 1000 }]);
    expect(transcript.segments[0]?.words.map(({ text, startMs }) => [text, startMs])).toEqual([
      ['Bozorda', 0],
      ['olma', 233],
      ['ikki', 367],
      ['ming', 500],
      ['soʻm', 633],
      ['edi.', 767],
    ]);
  });

  it('has the earlier versions of that text, one of them named', async () => {
    const { id } = itemOf('transcript', 'Bozordagi suhbat');
    expect(valueOf(await workspace.transcripts.versions(id))).toMatchObject([
      { revision: 9, kind: 'now', editCount: 8 },
      { revision: 1, kind: 'named', name: 'Narx tuzatildi', editCount: 1 },
      { revision: 0, kind: 'service' },
    ]);
    const { transcript: now } = await textOf('Bozordagi suhbat');
    const lineAt = async (revision: number) => {
      const { change } = valueOf(await workspace.transcripts.version(id, revision));
      return valueOf(applyChange(now, unpackChange(change))).transcript.segments[0]?.text;
    };
    expect([await lineAt(0), await lineAt(1)]).toEqual([
      'Bozorda olma ming soʻm edi.',
      'Bozorda olma ikki ming soʻm edi.',
    ]);
  });

  it('has imported, recognised and dictated texts letter by letter', async () => {
    const texts = await Promise.all(['Совещание в Ташкенте', 'Yigʻilish', 'Созвон', 'Diktovkadan hujjat'].map(textOf));
    expect(
      texts.map(({ sourceName, transcript }) => [sourceName, transcript.language, ...linesOf(transcript)]),
    ).toEqual([
      ['interview.vtt', 'ru', [null, 0, 1500, 'Добрый день, коллеги.'], [null, 1500, 3000, 'Начнём совещание.']],
      ['Yigʻilish.flac', 'uz', [null, 950, 3350, '(nutq, 2 s)'], [null, 4940, 7100, '(nutq, 2 s)']],
      ['Созвон.mp3', 'ru', [null, 950, 3350, '(речь, 2 с)'], [null, 4940, 7110, '(речь, 2 с)']],
      ['Diktovkadan hujjat', 'uz', [null, 0, 250, 'Hujjatga aylangan gap.']],
    ]);
    expect(texts.slice(0, 3).map(({ recordingPath }) => recordingPath)).toEqual([
      null,
      `${recordings}/Yigʻilish.flac`,
      `${recordings}/Созвон.mp3`,
    ]);
  });

  it('keeps what is in the trash, and gives it back', async () => {
    const trashed = itemOf('transcript', 'Chiqindi');
    expect(await workspace.transcripts.open(trashed.id)).toMatchObject({ error: { kind: 'deleted-at-service' } });
    await workspace.items.restore([trashed]);
    expect(linesOf((await textOf('Chiqindi')).transcript)).toEqual([[null, 0, 900, 'Bu matn savatga tashlandi.']]);
    await workspace.items.trash([trashed]);
  });

  it('has the queue in its order and states, paused as it was left', () => {
    const { jobs, queue } = workspace.jobs.list();
    expect(queue.isHeld).toBe(true);
    expect(jobs.map(({ name, kind, state }) => [name, kind, state.tag])).toEqual([
      ['Yigʻilish.flac', 'transcribe', 'done'],
      ['Созвон.mp3', 'transcribe', 'done'],
      ['Buzuq.wav', 'transcribe', 'failed'],
      ['Nusxa.flac', 'transcribe', 'needs-user'],
      ['Uzun.wav', 'isolate', 'done'],
      ['Shovqinli.wav', 'isolate', 'done'],
      ['Kutmoqda.wav', 'transcribe', 'waiting'],
      ['Navbatda.wav', 'transcribe', 'waiting'],
      ['Bekor.wav', 'transcribe', 'cancelled'],
      ['Toʻxtatilgan.wav', 'transcribe', 'paused'],
    ]);
    const stateOf = (named: string) => jobs.find(({ name }) => name === named)?.state;
    expect(stateOf('Buzuq.wav')).toMatchObject({
      failure: { kind: 'type-unsupported', code: 'invalid_audio', status: 422 },
    });
    expect(stateOf('Nusxa.flac')).toMatchObject({
      failure: { kind: 'already-in-queue', params: { transcriptId: itemOf('transcript', 'Yigʻilish').id } },
    });
    expect(jobs.find(({ name }) => name === 'Navbatda.wav')).toMatchObject({ language: 'en', sizeBytes: 32_044 });
    expect(valueOf(workspace.isolation.hidden()).map(({ name }) => name)).toEqual(['Olib tashlangan.wav']);
  });

  it('has the answer of the service beside each recognised text', async () => {
    const job = workspace.jobs.list().jobs.find(({ name }) => name === 'Yigʻilish.flac');
    const { text } = valueOf(await workspace.jobs.rawAnswer(job?.id ?? ''));
    expect(JSON.parse(text)).toMatchObject({
      status: 'completed',
      title: 'Yigʻilish',
      text: '(nutq, 2 s)\n(nutq, 2 s)',
    });
  });

  it('has every dictation, and knows which one became a document', async () => {
    const { id } = itemOf('transcript', 'Diktovkadan hujjat');
    expect(await workspace.dictation.list()).toMatchObject([
      { id: takes.saved, transcriptId: id, text: 'Hujjatga aylangan gap.', hasSound: true },
      {
        id: takes.kept,
        title: 'Uchrashuv',
        transcriptId: null,
        text: 'Ertaga soat toʻqqizda uchrashamiz. Hujjatlarni olib keling.',
        phraseCount: 2,
      },
    ]);
    expect(itemOf('dictation', 'Tashlangan diktovka.').id).toBe(takes.trashed);
  });

  it('plays what it keeps: isolated audio, dictations, spoken texts', async () => {
    const played = listing.items.filter(
      ({ kind }) => kind === 'isolation' || kind === 'dictation' || kind === 'speech',
    );
    const places = await Promise.all(played.map(async (item) => valueOf(await workspace.items.audio(item)).path));
    expect(places).toHaveLength(7);
    expect(places.every((path) => path.startsWith(folder))).toBe(true);
  });

  it('has the spoken texts with their sentences, takes and pronunciations', () => {
    expect(valueOf(workspace.speechDocuments.list()).map(({ id, title }) => [id, title])).toEqual([
      [spoken.named, 'Tabrik'],
      [spoken.unnamed, 'Salom. Xayr.'],
    ]);
    const { blocks, defaults, pronunciations, text } = valueOf(workspace.speechDocuments.open(spoken.unnamed));
    expect([text, defaults]).toEqual(['Salom. Xayr.', { language: 'uz', voiceId, otherVoices: {}, speed: 1 }]);
    expect(pronunciations).toEqual([{ written: 'BMT', spoken: 'be-em-te', matchCase: true }]);
    expect(
      blocks.map((block) => [block.text, block.takeIds.length, block.takeIds.indexOf(block.takeId ?? '')]),
    ).toEqual([
      ['Salom.', 2, 1],
      ['Xayr.', 1, 0],
    ]);
    expect(valueOf(workspace.speechDocuments.pronunciations())).toEqual({
      uz: [{ written: 'ATM', spoken: 'a-te-em', matchCase: false }],
      ru: [{ written: 'ГЭС', spoken: 'гэс', matchCase: true }],
    });
    expect(valueOf(workspace.speechDocuments.voiceMarks())).toEqual({ favourites: [voiceId], recent: [voiceId] });
  });

  it('has the voice that was being cloned, with its recording', async () => {
    expect(valueOf(await workspace.cloning.read())).toMatchObject({
      step: 'record',
      transcript: 'Salom, usta',
      hasConsent: true,
      details: { name: 'Kechki eshittirish', accent: 'Fargʻona', palette: 'calm' },
      reference: { durationMs: 500, sizeBytes: 16_044 },
    });
  });

  it('has the questions with their answers, citations and costs', () => {
    const { id } = itemOf('conversation', 'Olma narxi');
    const { credits, cited, exchanges } = valueOf(workspace.conversations.open(id));
    expect([credits, exchanges.map(({ question, state, credits: cost }) => [question, state, Number(cost)])]).toEqual([
      '0.949',
      [
        ['Olma qancha turadi?', 'done', 0.433],
        ['Yana nima deyildi?', 'done', 0.516],
      ],
    ]);
    expect(exchanges[0]?.answer).toBe(
      '[Mashq rejimida sunʼiy intellekt ishlamaydi: bular matningizdagi savolga mos gaplar.]\nBozorda olma ikki ming soʻm edi. [s1]\nTelefon raqami █████. [s2]\nedi. [s3]',
    );
    expect(cited.map(({ line }) => line?.text)).toEqual([
      'Bozorda olma ikki ming soʻm edi.',
      'Telefon raqami █████.',
      'edi.',
    ]);
  });

  it('has folders in folders, tags, and what was put into them', () => {
    const [work, year] = listing.folders;
    const [urgent] = listing.tags;
    expect(listing.folders).toMatchObject([
      { name: 'Ish', parentId: null },
      { name: '2026-yil', parentId: work?.id },
    ]);
    expect(listing.tags.map(({ name }) => name)).toEqual(['muhim', 'boʻsh teg']);
    const inFolder = (id?: string) => listing.items.flatMap((item) => (item.folderId === id ? item.title : []));
    expect([inFolder(work?.id), inFolder(year?.id)]).toEqual([['Bozordagi suhbat'], ['Tabrik']]);
    expect(listing.items.flatMap(({ tagIds, title }) => (tagIds.includes(urgent?.id ?? '') ? title : []))).toEqual([
      'Совещание в Ташкенте',
      'Bozordagi suhbat',
      'Uchrashuv',
    ]);
  });

  it('has the book of speakers and the log of automatic work', () => {
    expect(valueOf(workspace.speakerBook.list())).toEqual([
      { name: 'Dilnoza', colour: 5, count: 1 },
      { name: 'Олег Петров', colour: null, count: 1 },
      { name: 'Nodira Karimova', colour: 3, count: 0 },
    ]);
    expect(workspace.automation.list(10)).toMatchObject([
      { kind: 'watch', key: '1:2', name: 'Yangi.wav', outcome: 'failed', row: 'E-010' },
      { kind: 'copy', key: 'bozor txt', name: 'Bozordagi suhbat.txt', outcome: 'done', row: null },
    ]);
  });

  it('has the ledger: what was paid for, what it cost, and what was refused', () => {
    const paid = valueOf(workspace.ledger.list({ fromMs: 0, toMs: Number.MAX_SAFE_INTEGER }));
    expect(paid.map(({ route, state, report }) => [route, state, report?.credits ?? null])).toEqual([
      ['ask.complete', 'accepted', '0.39100000'],
      ['ask.complete', 'accepted', '0.51600000'],
      ['ask.complete', 'accepted', '0.43300000'],
      ['speak.generate', 'accepted', null],
      ['speak.generate', 'accepted', null],
      ['speak.generate', 'accepted', null],
      ['speak.generate', 'accepted', null],
      ['isolate.submit', 'accepted', '1'],
      ['isolate.submit', 'accepted', '1'],
      ['isolate.submit', 'accepted', '1'],
      ['stt.submit', 'refused', null],
      ['stt.submit', 'accepted', null],
      ['stt.submit', 'accepted', null],
    ]);
    const job = workspace.jobs.list().jobs.find(({ name }) => name === 'Yigʻilish.flac');
    const { mediaSha256: sha256 } = valueOf(workspace.transcripts.find(itemOf('transcript', 'Yigʻilish').id));
    const same = { sha256, kind: 'transcribe', language: 'uz', includeSpeakers: false } as const;
    expect(workspace.ledger.findPaid(same)).toMatchObject({ remoteId: expect.stringMatching(/^tr_/u) });
    expect(job?.sizeBytes).toBe(126_929);
  });

  it('finds by words, in the letters of either alphabet', async () => {
    const found = async (text: string) => {
      const among = listing.items.map(({ kind, id }) => `${kind}:${id}`);
      const { items } = valueOf(await workspace.items.search({ text, among, mostItems: 10 }));
      return items.map(({ kind }) => kind);
    };
    expect(await found('совещание')).toContain('transcript');
    expect(await found('toʻqqizda')).toEqual(['dictation']);
    expect(await found('олма')).toContain('transcript');
  });

  it('has the settings as they were chosen', () => {
    const settings = openSettingsForTerminal(folder, () => expect.unreachable('nothing is saved'));
    expect(settings.wasReset).toBe(false);
    expect(settings.get()).toMatchObject({
      interfaceLanguage: 'uz',
      mode: 'service',
      serviceAddress: 'https://service.example',
      speechLanguage: 'ru',
      dictationLanguage: 'uz',
      knownWords: ['Yangiobod', 'ovozxona'],
      spendLimitMinutes: 30,
      transcriptSize: 20,
      shortcuts: { 'section.dictate': 'Mod+KeyD' },
      replacements: [
        { language: 'uz', say: 'ovoz studio', write: 'Ovoz Studio', kind: 'word', isCaseSensitive: false },
      ],
    });
  });
});
