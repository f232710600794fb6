import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { decideRetry } from '../../shared/domain/failures/decide-retry.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import type { Failure } from '../../shared/result/failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Speech } from '../api/resources/speak.ts';
import type { SpeakCommand } from './command.ts';
import { resultOf, type RunResult } from './ending.ts';
import { makeFolder, placeFile, refuseTaken, unfinishedBeside } from './place-file.ts';
import { waitFor } from './pause.ts';
import { helpAfter, noteFailure, openWish, type Wishing } from './session.ts';
import type { ServiceSession } from '../workspace/workspace.ts';
import type { Teller } from './teller.ts';

export interface PaidRun<C> {
  readonly command: C;
  readonly session: ServiceSession;
  readonly teller: Teller;
  /** Aborted when the person stops the run. */
  readonly signal: AbortSignal;
}

type Run = PaidRun<SpeakCommand>;
type Made = Extract<Speech, { kind: 'made' }>;

const defaultName = 'speech.wav';
const pendingPauseMs = 2000;

/** Speaks a text into a WAV file. */
export async function speakText(run: Run, text: string): Promise<RunResult> {
  const { command, teller, signal } = run;
  const target = resolve(command.out ?? defaultName);
  const isReady = await prepareTarget(run, target);
  if (!isReady.ok) return tell(run, isReady.error);
  const voiceId = command.voiceId ?? (await firstVoice(run));
  if (typeof voiceId !== 'string') return tell(run, voiceId);

  const parts = ['speak', text, command.language, voiceId, String(command.speed)];
  const opened = openWish(run.session, parts, { sendsAgain: command.sendsAgain, nowMs: Date.now() });
  if (!opened.ok) return tell(run, opened.error);
  const unfinished = unfinishedBeside(target);
  try {
    teller.status(teller.words('cli.speak.working'), { step: 'working' });
    const made = await makeSpeech(run, opened.value, { text, voiceId, target: unfinished });
    if (!made.ok) return tell(run, signal.aborted ? { ...made.error, code: 'interrupted' } : made.error);
    const placed = await placeFile(unfinished, target, command.overwrites);
    if (!placed.ok) return tell(run, { ...placed.error, outcome: 'accepted' });
    run.session.ledger.closeWish(opened.value.wish.fingerprint);
    const { sizeBytes, durationMs, requestId } = made.value;
    teller.json({
      outputs: [placed.value],
      characters: Array.from(text).length,
      voiceId,
      sizeBytes,
      durationMs,
      requestId,
      error: null,
    });
    teller.line(teller.words('cli.speak.done', { file: placed.value, seconds: ((durationMs ?? 0) / 1000).toFixed(1) }));
    return 'done';
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function prepareTarget({ command }: Run, target: string): Promise<Result<null, Failure>> {
  const made = await makeFolder(dirname(target));
  // Without a name of the person's own a number is found afterwards; nothing is refused for it.
  return made.ok && command.out !== null ? refuseTaken(target, command.overwrites) : made;
}

/** The first voice of the language in the service's own order. */
async function firstVoice({ command, session, signal }: Run): Promise<string | Failure> {
  const voices = await session.client.speak.voices({ language: command.language }, signal);
  if (!voices.ok) return voices.error;
  const { items } = voices.value;
  const fitting = items.find(({ languages }) => languages.includes(command.language)) ?? items[0];
  return fitting?.voiceId ?? makeFailure('E-040', { code: 'no_voice', outcome: 'not_sent', layer: 'local' });
}

/** The same request with the same key until the sound is there, asking again is of no use, or the time is over. */
async function makeSpeech(
  { command, session, signal }: Run,
  wishing: Wishing,
  wanted: { readonly text: string; readonly voiceId: string; readonly target: string },
): Promise<Result<Made, Failure>> {
  const beganAt = performance.now();
  let isCertain = wishing.isNew;
  for (let attempt = 1; ; attempt++) {
    const { language, speed } = command;
    const spoken = await session.client.speak.speak({
      ...wanted,
      language,
      speed,
      idempotencyKey: wishing.wish.actionId,
      signal,
    });
    if (spoken.ok && spoken.value.kind === 'made') return ok(spoken.value);
    const elapsedMs = performance.now() - beganAt;
    let pauseMs = pendingPauseMs;
    if (spoken.ok) {
      isCertain = false;
      if (elapsedMs > command.waitMs) return err(stillMade(spoken.value.requestId));
    } else {
      const failure = spoken.error;
      const decision = decideRetry({
        failure,
        attempt,
        elapsedMs,
        patience: 'interactive',
        isRepeatable: failure.code !== 'cancelled',
        random: Math.random,
      });
      if (!decision.retry) {
        noteFailure(session, { ...wishing, isNew: isCertain }, failure);
        return err(failure);
      }
      if (failure.outcome === 'unknown' || failure.outcome === 'accepted') isCertain = false;
      pauseMs = decision.delayMs;
    }
    if (!(await waitFor(pauseMs, signal))) return err(makeFailure('E-107', { code: 'interrupted' }));
  }
}

const stillMade = (requestId: string | null): Failure =>
  makeFailure('E-023', {
    code: 'still_made',
    outcome: 'accepted',
    ...(requestId === null ? {} : { requestId }),
  });

function tell({ teller }: Run, failure: Failure): RunResult {
  const help = helpAfter(failure);
  teller.failure(failure, help === null ? [] : [teller.words(help)], { outputs: [] });
  return resultOf(failure);
}
