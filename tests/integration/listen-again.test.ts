import { expect, it } from 'vitest';
import type { SocketMessage } from '../../electron/service/dictation-socket.ts';
import { createExcerptTexts } from '../../electron/services/isolation/excerpt-texts.ts';
import { type StoredAudio } from '../../electron/services/library/store.ts';
import { createListenAgain } from '../../electron/services/transcripts/listen-again.ts';
import type { PaidLedger } from '../../shared/domain/ledger/paid-action.ts';
import { ok } from '../../shared/result/result.ts';
import { toTranscript } from '../../shared/domain/transcript/from-received.ts';
import { liveThat } from '../support/dictation-studio.ts';
import { addedJob } from '../support/library-to-damage.ts';
import { openStore, storeText } from './open-library.ts';
import { folderOfFile } from '../support/test-folders.ts';

const folder = folderOfFile();

const spoken = toTranscript({ text: 'bir oydan qirg kungacha', segments: [] }, { language: 'uz', durationMs: 60_000 });

const library = () => openStore(folder).store;

const received = {
  text: 'bir oydan',
  durationMs: 3000,
  segments: [
    {
      text: 'bir oydan',
      words: [
        { text: 'bir', startMs: 100, endMs: 400 },
        { text: 'oydan', startMs: 500, endMs: 900 },
      ],
    },
  ],
};

/** A service that answers each request with the next of some messages. */
function service(...answers: readonly SocketMessage[]) {
  const sent: number[] = [];
  const live = liveThat((audio) => answers[sent.push(audio.length) - 1] ?? { kind: 'unknown' });
  return { sent, live };
}

const final = { kind: 'final', result: received } as const;
const refusal = (code: string) => ({ kind: 'error', code, message: null }) as const;
const asked = { transcriptId: 't1', language: 'uz', startMs: 12_000, endMs: 15_000 } as const;
const pcm = new Uint8Array(96_000);

it('a segment is sent to be transcribed again once, even across restarts, and the result is erased with its transcript', async () => {
  let store = library();
  const job = storeText(store, 't1', spoken);

  const first = service(final);
  const booked: string[] = [];
  const ledger: PaidLedger = {
    begin: ({ product }) => (booked.push(product), ok(null)),
    end: () => undefined,
    report: () => undefined,
  };
  const again = createListenAgain({ store, live: { ...first.live, ledger }, now: () => 7 });
  expect(again.kept(asked)).toEqual({ ok: true, value: null });
  const both = await Promise.all([again.listen(asked, pcm), again.listen(asked, pcm)]);
  const heard = [
    { text: 'bir', startMs: 12_100, endMs: 12_400 },
    { text: 'oydan', startMs: 12_500, endMs: 12_900 },
  ];
  const [paidId = ''] = both[0].ok ? both[0].value.paidIds : [];
  const value = { words: heard, paidIds: [paidId] };
  expect(paidId).not.toBe('');
  for (const one of both) expect(one).toEqual({ ok: true, value });
  expect(booked).toEqual(['transcribe']);
  expect(first.sent).toEqual([96_000]);
  expect(store.latestRawAnswer(job.id)).toEqual({ ok: true, value: null });
  store.close();

  store = library();
  const later = service();
  const reopened = createListenAgain({ store, live: later.live, now: () => 8 });
  expect(reopened.kept(asked)).toEqual({ ok: true, value });
  expect(await reopened.listen(asked, pcm)).toEqual({ ok: true, value });
  expect(reopened.kept({ ...asked, startMs: 12_120, endMs: 12_500 })).toMatchObject({
    value: { words: heard.slice(0, 1) },
  });
  expect(later.sent).toEqual([]);
  expect(reopened.kept({ ...asked, endMs: 15_500 })).toEqual({ ok: true, value: null });
  expect(store.eraseItems(['t1']).ok).toBe(true);
  expect(store.heardAgain(job.id)).toEqual({ ok: true, value: [] });
  store.close();
});

it('silence is an answer, no credits are a failure that stores nothing, and more than 35 s is not sent', async () => {
  const store = library();
  storeText(store, 't2', spoken);
  const { sent, live } = service(refusal('insufficient_credits'), refusal('no_speech_detected'));
  const again = createListenAgain({ store, live, now: () => 7 });
  const of = { ...asked, transcriptId: 't2' };
  expect((await again.listen(of, pcm)).ok).toBe(false);
  expect(again.kept(of)).toEqual({ ok: true, value: null });
  const silence = { ok: true, value: { words: [], paidIds: [] } };
  expect(await again.listen(of, pcm)).toEqual(silence);
  expect(again.kept(of)).toEqual(silence);
  expect((await again.listen({ ...of, endMs: 60_000 }, pcm)).ok).toBe(false);
  expect(sent).toHaveLength(2);
  store.close();
});

it('an excerpt whose isolated audio could not be recognised does not pay for its original again', async () => {
  const store = library();
  const job = { ...addedJob(3), id: 'job-3' };
  store.addJobs([job]);
  const audio: StoredAudio = {
    id: 'a3',
    jobId: job.id,
    title: 'c',
    sourceName: 'c.wav',
    createdAtMs: 5,
    fileName: 'c.mp3',
    format: 'mp3',
    sha256: 'c'.repeat(64),
    sizeBytes: 1,
    durationMs: 3000,
    remoteId: null,
    credits: null,
  };
  const excerpt = { original: pcm, isolated: new Uint8Array(64_000) };
  const first = service(final, refusal('invalid_audio'));
  const texts = createExcerptTexts({ store, live: first.live, now: () => 7 });
  expect((await texts.listen(audio, 'uz', excerpt)).ok).toBe(false);
  expect(texts.kept(audio, 'uz')).toEqual({ ok: true, value: null });

  const later = service(final);
  const reopened = createExcerptTexts({ store, live: later.live, now: () => 8 });
  const both = await reopened.listen(audio, 'uz', excerpt);
  expect(later.sent).toEqual([64_000]);
  expect(both.ok && both.value.original.map(({ text }) => text)).toEqual(['bir', 'oydan']);
  expect(reopened.kept(audio, 'uz')).toEqual(both);
  store.close();
});
