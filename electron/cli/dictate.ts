import { basename } from 'node:path';
import { dictationRate } from '../../shared/domain/dictation/phrase-cutter.ts';
import { textOf, type Phrase } from '../../shared/domain/dictation/take.ts';
import { msOfSamples } from '../../shared/domain/dictation/written-phrases.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { AudioCutter } from '../services/exports/write-request.ts';
import { openDictatedAudio, type DictatedAudio } from '../platform/node/audio/dictated-wav.ts';
import { systemClientClock } from '../api/http/transport.ts';
import { TakeEngine } from '../services/dictation/take-engine.ts';
import type { DictateCommand } from './options.ts';
import { resultOf, type RunResult } from './ending.ts';
import type { PaidRun } from './speak.ts';

/** Audio is fed in pieces of this size, and only while fewer phrases than this wait for their text. */
const pieceSamples = dictationRate / 2;
const mostWaiting = 4;
const saidAfterMs = 2000;
/** As long as the service may take for one phrase, when nothing is wrong. */
const slowestAnswerMs = 300_000;
const lookEveryMs = 250;

export async function dictateFile(run: PaidRun<DictateCommand>, cutAudio: AudioCutter): Promise<RunResult> {
  const { command, reporter, signal } = run;
  const opened = await openDictatedAudio(command.input, cutAudio, signal);
  if (!opened.ok) {
    reporter.failure({ ...opened.error, params: { name: basename(command.input) } }, [], { file: command.input });
    return 'failed';
  }
  try {
    return await dictateAudio(run, opened.value);
  } finally {
    await opened.value.close();
  }
}

async function dictateAudio(
  { command, session, reporter, signal }: PaidRun<DictateCommand>,
  { spool, samples }: DictatedAudio,
): Promise<RunResult> {
  let lastPrinted = 0;
  let utterances = 0;
  let stoppedBy: Failure | null = null;
  let trouble: Failure | null = null;
  let answeredAtMs = Date.now();
  let isTold = false;
  let isTooLate = false;
  let wake = (): void => undefined;
  const report = (phrase: Phrase): void => {
    const text = textOf(phrase);
    if (phrase.state !== 'text' || text === '') return;
    utterances += 1;
    const [startMs, endMs] = [msOfSamples(phrase.from), msOfSamples(phrase.to ?? phrase.from)];
    reporter.json({ utterance: utterances, startMs, endMs, text });
    reporter.line(text);
  };
  const engine = new TakeEngine(
    {
      dictate: (options, listener) => session.client.live.dictate(options, listener),
      spool,
      after: (ms, callback) => systemClientClock.after(ms, callback),
      listener: {
        onPhrases: (phrases) => {
          if (phrases.some(({ state }) => state !== 'waiting' && state !== 'speaking')) {
            if (isTold) reporter.note(reporter.words('cli.goesOn'));
            [trouble, answeredAtMs, isTold] = [null, Date.now(), false];
          }
          for (const phrase of engine.take.readyAfter(lastPrinted)) {
            lastPrinted = phrase.id;
            report(phrase);
          }
          wake();
        },
        onState: (state) => {
          if (state.kind === 'connecting' || state.kind === 'reconnecting') trouble ??= state.failure ?? null;
          // What it was that lasted too long says more than that it did.
          if (state.kind === 'stopped')
            stoppedBy = state.failure.kind === 'live-text-stopped' ? (trouble ?? state.failure) : state.failure;
          if (state.kind === 'held') stoppedBy = state.failure;
          // An account without credits stays without them while a command runs.
          if (state.kind === 'held') engine.close();
          wake();
        },
      },
    },
    { language: command.language, pauses: 'each', keepsSilence: true, total: samples, triesAgain: false },
  );
  const watch = setInterval(() => {
    const stuckMs = Date.now() - answeredAtMs;
    if (trouble !== null && !isTold && stuckMs > saidAfterMs) {
      isTold = true;
      const seconds = Math.round(command.waitMs / 1000);
      reporter.note(reporter.words('cli.waits', { message: reporter.explain(trouble), seconds }));
    }
    // Without trouble the service only takes its time.
    if (stuckMs <= (trouble === null ? Math.max(command.waitMs, slowestAnswerMs) : command.waitMs)) return;
    stoppedBy ??= trouble ?? makeFailure('phrase-late', { code: 'no_final' });
    isTooLate = true;
    stop();
  }, lookEveryMs);
  const stop = (): void => {
    engine.close();
    wake();
  };
  signal.addEventListener('abort', stop, { once: true });
  const isOver = (): boolean => signal.aborted || stoppedBy !== null;
  for (let at = 0; at < samples && !isOver(); at += pieceSamples) {
    engine.push(spool.read(at, Math.min(samples, at + pieceSamples)));
    while (engine.waiting >= mostWaiting && !isOver()) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    }
  }
  engine.endCapture();
  await engine.settled();
  const phrases = engine.take.phrases;
  const discarded = phrases.filter(({ state }) => state === 'discarded').length;
  const unsent = phrases.filter(
    ({ state }) => state === 'waiting' || state === 'failed' || state === 'speaking',
  ).length;
  // The part of the recording that was never read counts as waiting too.
  const waiting = unsent + (engine.take.captured < samples ? 1 : 0);
  engine.close();
  clearInterval(watch);
  signal.removeEventListener('abort', stop);
  if (stoppedBy !== null && !signal.aborted) reporter.failure(stoppedBy, [], { file: command.input });
  if (signal.aborted) reporter.note(reporter.words('cli.interrupted'));
  const summary = { utterances, waiting, discarded };
  reporter.json({ summary });
  if (waiting > 0) reporter.note(reporter.words('cli.dictate.waiting', { count: waiting }));
  const unanswered = phrases.filter((phrase) => phrase.unanswered > 0).length;
  if (unanswered > 0) reporter.note(reporter.words('cli.dictate.unanswered', { count: unanswered }));
  if (utterances === 0 && waiting === 0) reporter.note(reporter.words('cli.dictate.silence'));
  if (waiting === 0 && discarded === 0) return 'done';
  if (isTooLate) return 'later';
  return stoppedBy === null ? 'failed' : resultOf(stoppedBy);
}
