import { rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Failure } from '../../shared/result/failure.ts';
import { ok, type Result } from '../../shared/result/result.ts';
import type { SpeakCommand } from './options.ts';
import { makeFolder, placeFile, refuseTaken, unfinishedBeside } from '../platform/node/place-file.ts';
import type { RunResult } from './ending.ts';
import type { SpeechService, SpeechWanted, SpokenText, StreamedText } from '../services/speech/speech-service.ts';
import type { ServiceSession } from '../workspace/open-service-session.ts';
import type { Reporter } from './reporter.ts';

export interface PaidRun<C> {
  readonly command: C;
  readonly session: ServiceSession;
  readonly reporter: Reporter;
  readonly signal: AbortSignal;
}

type Run = PaidRun<SpeakCommand>;

const defaultName = 'speech.wav';

export async function speakText(run: Run, text: string): Promise<RunResult> {
  const { command, session, reporter, signal } = run;
  const target = resolve(command.out ?? defaultName);
  const isReady = await prepareTarget(run, target);
  if (!isReady.ok) return report(run, isReady.error);
  const { speech } = session;
  const voice = command.voiceId === null ? await speech.firstVoice(command.language, signal) : ok(command.voiceId);
  if (!voice.ok) return report(run, voice.error);
  const voiceId = voice.value;
  const unfinished = unfinishedBeside(target);
  try {
    const characters = Array.from(text).length;
    const expectedCredits = session.ledger.expectedCredits('speak.generate', { characters });
    reporter.status(withCost(reporter, 'cli.speak.working', expectedCredits), {
      step: 'working',
      ...(expectedCredits === null ? {} : { expectedCredits }),
    });
    const { language, speed, sendsAgain, waitMs } = command;
    const wanted = { text, language, voiceId, speed, target: unfinished, sendsAgain, waitMs, signal };
    const made: Result<SpokenText & Partial<StreamedText>> = command.isStreamed
      ? await speakLive(speech, wanted, reporter)
      : await speech.speak(wanted);
    if (!made.ok) return report(run, signal.aborted ? { ...made.error, code: 'interrupted' } : made.error);
    const placed = await placeFile(unfinished, target, command.overwrites);
    if (!placed.ok) return report(run, { ...placed.error, outcome: 'accepted' });
    made.value.settle();
    const { sizeBytes, durationMs, requestId, firstAudioMs, cutBy = null } = made.value;
    if (cutBy !== null)
      return reporter.endWith(cutBy, [reporter.words('cli.speak.cut', { file: placed.value })], {
        outputs: [placed.value],
      });
    reporter.json({
      outputs: [placed.value],
      characters,
      voiceId,
      sizeBytes,
      durationMs,
      requestId,
      ...(firstAudioMs === undefined ? {} : { firstAudioMs }),
      error: null,
    });
    reporter.line(
      reporter.words('cli.speak.done', {
        file: placed.value,
        seconds: ((durationMs ?? 0) / 1000).toFixed(1),
        characters,
      }),
    );
    return 'done';
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function speakLive(
  speech: SpeechService,
  wanted: SpeechWanted,
  reporter: Reporter,
): Promise<Result<SpokenText & Partial<StreamedText>>> {
  const spoken = await speech.stream(wanted);
  if (spoken.ok) return ok({ ...spoken.value, sizeBytes: (await stat(wanted.target)).size, requestId: null });
  if (spoken.error.kind !== 'live-speech-unavailable' || wanted.signal.aborted) return spoken;
  reporter.note(reporter.explain(spoken.error));
  return speech.speak(wanted);
}

export const withCost = (reporter: Reporter, key: string, credits: string | null, values = {}): string =>
  [reporter.words(key, values), ...(credits === null ? [] : [reporter.words('cli.expectedCost', { credits })])].join(
    '; ',
  );

async function prepareTarget({ command }: Run, target: string): Promise<Result<null>> {
  const made = await makeFolder(dirname(target));
  // Without an explicit name a free number is chosen afterwards, so nothing is refused for it.
  return made.ok && command.out !== null ? refuseTaken(target, command.overwrites) : made;
}

const report = ({ reporter }: Run, failure: Failure): RunResult =>
  reporter.endWith(failure, reporter.helpFor(failure), { outputs: [] });
