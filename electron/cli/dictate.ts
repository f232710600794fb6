import { basename } from 'node:path';
import { dictationRate } from '../../shared/domain/dictation/phrase-cutter.ts';
import { textOf, type Phrase } from '../../shared/domain/dictation/take.ts';
import { msOfSamples } from '../../shared/domain/dictation/written-phrases.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { openDictatedWav } from '../platform/node/audio/dictated-wav.ts';
import { TakeEngine } from '../services/dictation/take-engine.ts';
import type { DictateCommand } from './command.ts';
import { resultOf, type RunResult } from './ending.ts';
import type { PaidRun } from './speak.ts';

/** Audio is fed in pieces of this size, and only while fewer phrases than this wait for their text. */
const pieceSamples = dictationRate / 2;
const mostWaiting = 4;

/** Dictates a recording through the engine of the window, as fast as the service takes it. */
export async function dictateFile({ command, session, reporter, signal }: PaidRun<DictateCommand>): Promise<RunResult> {
  const opened = await openDictatedWav(command.input);
  if (!opened.ok) {
    reporter.failure({ ...opened.error, params: { name: basename(command.input) } }, [], { file: command.input });
    return 'failed';
  }
  const audio = opened.value;
  const { spool, samples } = audio;
  let lastPrinted = 0;
  let utterances = 0;
  let stoppedBy: Failure | null = null;
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
      after: (ms, callback) => {
        const timer = setTimeout(callback, ms);
        return () => clearTimeout(timer);
      },
      listener: {
        onPhrases: () => {
          for (const phrase of engine.take.readyAfter(lastPrinted)) {
            lastPrinted = phrase.id;
            report(phrase);
          }
          wake();
        },
        onState: (state) => {
          if (state.kind === 'stopped' || state.kind === 'held') stoppedBy = state.failure;
          // An account without credits stays without them while a command runs.
          if (state.kind === 'held') engine.close();
          wake();
        },
      },
    },
    { language: command.language, pauses: 'each', keepsSilence: true, total: samples, triesAgain: false },
  );
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
  signal.removeEventListener('abort', stop);
  await audio.close();
  if (stoppedBy !== null && !signal.aborted) reporter.failure(stoppedBy, [], { file: command.input });
  if (signal.aborted) reporter.note(reporter.words('cli.interrupted'));
  const summary = { utterances, waiting, discarded };
  reporter.json({ summary });
  if (waiting > 0) reporter.note(reporter.words('cli.dictate.waiting', { count: waiting }));
  if (utterances === 0 && waiting === 0) reporter.note(reporter.words('cli.dictate.silence'));
  if (waiting === 0 && discarded === 0) return 'done';
  return stoppedBy === null ? 'failed' : resultOf(stoppedBy);
}
