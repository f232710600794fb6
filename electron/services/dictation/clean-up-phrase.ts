import {
  cleanUpMessages,
  isVersionOf,
  mostCleanUpTokens,
  type CleanUpFault,
  type ModelStyle,
} from '../../../shared/domain/dictation/clean-up.ts';
import type { Failure } from '../../../shared/result/failure.ts';
import type { Result } from '../../../shared/result/result.ts';
import type { AssistantService, ChosenModel } from '../assistant/assistant-service.ts';

export interface CleanUpWanted {
  readonly style: ModelStyle;
  readonly text: string;
  /** Even if an earlier try with the same words may have been charged. */
  readonly sendsAgain: boolean;
  /** The user chose it for this phrase, and it is counted in the hour's spending already. */
  readonly isAdmitted: boolean;
  readonly signal: AbortSignal;
}

interface CleanUpOutcome {
  /** Null: the user's own words are used, because of the fault. */
  readonly written: string | null;
  readonly fault: CleanUpFault | null;
  /** What it cost, as decimal text; it may be known later than the text. */
  readonly credits: Promise<string | null>;
}

export type CleanUpByModel = (wanted: CleanUpWanted) => Promise<CleanUpOutcome>;

/** A phrase as long as one can be: 35 seconds of quick speech. */
const longestText = 'a'.repeat(600);
const costKnownWithinMs = 10_000;

const unwritten = (fault: CleanUpFault): CleanUpOutcome => ({ written: null, fault, credits: Promise.resolve(null) });

/** Writes dictated phrases by the cheapest model. `admits`: the hour's limit of spending allows so many characters. */
export function createCleanUp(assistant: AssistantService, admits: (characters: number) => boolean) {
  const choose = (style: ModelStyle, text: string, signal?: AbortSignal): Promise<Result<ChosenModel, Failure>> =>
    assistant.chooseModel(null, cleanUpMessages(style, text), mostCleanUpTokens, signal);

  const write: CleanUpByModel = async ({ style, text, sendsAgain, isAdmitted, signal }) => {
    if (!isAdmitted && !admits(text.length)) return unwritten('limit');
    const chosen = await choose(style, text, signal);
    if (!chosen.ok) return unwritten(signal.aborted ? 'late' : 'failed');
    const asked = await assistant.ask({
      ...chosen.value,
      messages: cleanUpMessages(style, text),
      maxTokens: mostCleanUpTokens,
      sendsAgain,
      onText: () => undefined,
      signal,
    });
    const { llmRequestId } = asked.ok ? asked.value : asked.error;
    const reported = asked.ok ? asked.value.usage.credits : null;
    const credits =
      reported === null
        ? assistant
            .lookUp(llmRequestId, AbortSignal.timeout(costKnownWithinMs))
            .then((status) => status?.credits ?? null)
        : Promise.resolve(reported);
    if (!asked.ok) return { written: null, fault: signal.aborted ? 'late' : 'failed', credits };
    const written = asked.value.text.trim();
    const isWhole = asked.value.finishReason !== 'length' && isVersionOf(written, text, style);
    return isWhole ? { written, fault: null, credits } : { written: null, fault: 'different', credits };
  };

  return {
    write,
    /** The model, and the most that a long phrase can cost. */
    cost: (style: ModelStyle): Promise<Result<ChosenModel, Failure>> => choose(style, longestText),
  };
}
