import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { estimateQuestion } from '../../../shared/domain/ledger/paid-action.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import {
  attachFile,
  inspectAttachment,
  type Answer,
  type AskApi,
  type AskMessage,
  type BrokenAnswer,
  type AttachedFile,
  type AttachmentFacts,
} from '../../service/ask.ts';
import { closeIfRefused, openPaidRequest, type PaidContext } from '../account/paid-requests.ts';

export interface ChosenModel {
  readonly model: string;
  /** The most the question can cost, in credits as decimal text; null: the prices are not known. */
  readonly estimate: string | null;
}

export interface QuestionWanted extends ChosenModel {
  readonly messages: readonly AskMessage[];
  readonly maxTokens: number;
  readonly temperature?: number;
  /** Creates a new request, which may be charged, where an earlier one of the same content has an unknown outcome. */
  readonly sendsAgain: boolean;
  readonly onText: (piece: string) => void;
  readonly signal: AbortSignal;
}

export type ModelCatalog = Extract<Awaited<ReturnType<AskApi['models']>>, { readonly ok: true }>['value'];
type QuestionStatus = Extract<Awaited<ReturnType<AskApi['status']>>, { readonly ok: true }>['value'];

export function createAssistantService(context: PaidContext) {
  const { client, ledger } = context;
  return {
    async chooseModel(
      named: string | null,
      messages: readonly AskMessage[],
      maxTokens: number,
      signal?: AbortSignal,
    ): Promise<Result<ChosenModel>> {
      const catalog = await client.ask.models(signal);
      // A key that may ask but not read prices can still ask when the model is named.
      if (!catalog.ok && named === null) return catalog;
      const { models, creditsPerUsd } = catalog.ok ? catalog.value : { models: [], creditsPerUsd: null };
      const bytes = Buffer.byteLength(JSON.stringify(messages));
      const hasFiles = messages.some(({ content }) => typeof content !== 'string');
      const offers = models
        .filter((model) => !hasFiles || named !== null || (model.seesImages && model.readsDocuments))
        .map((model) => ({
          model: model.id,
          estimate: mostCredits({ ...model, creditsPerUsd }, bytes, hasFiles, maxTokens),
        }));
      if (named === null) return found(cheapest(offers), 'no_model');
      if (models.length === 0) return ok({ model: named, estimate: null });
      return found(
        offers.find(({ model }) => model === named),
        'unknown_model',
      );
    },

    models: (signal?: AbortSignal): Promise<Result<ModelCatalog>> => client.ask.models(signal),

    async ask({
      model,
      estimate,
      messages,
      maxTokens,
      temperature,
      sendsAgain,
      onText,
      signal,
    }: QuestionWanted): Promise<Result<Answer, BrokenAnswer>> {
      const content = ['ask', model, ...messages.map(({ role, content: text }) => JSON.stringify([role, text]))];
      const opened = openPaidRequest(
        context,
        [...content, String(maxTokens), ...(temperature === undefined ? [] : [String(temperature)])],
        sendsAgain,
      );
      if (!opened.ok) return err({ failure: opened.error, partial: '', llmRequestId: null });
      const { actionId, fingerprint } = opened.value.open;
      const answer = await client.ask.askStreaming(
        {
          model,
          messages,
          maxCompletionTokens: maxTokens,
          ...(temperature === undefined ? {} : { temperature }),
          estimateCredits: estimate ?? undefined,
          idempotencyKey: actionId,
          signal,
        },
        onText,
      );
      if (answer.ok) ledger.closeRequest(fingerprint);
      else closeIfRefused(context, opened.value, answer.error.failure);
      return answer;
    },

    async inspect(path: string): Promise<Result<AttachmentFacts>> {
      const inspected = await inspectAttachment(path);
      if (!inspected.ok) return inspected;
      const { name, sizeBytes, purpose } = inspected.value;
      return ok({ name, sizeBytes, purpose });
    },

    attach: (path: string, model: string | null, signal: AbortSignal): Promise<Result<AttachedFile>> =>
      attachFile(client.ask, path, model, signal),

    detach: (fileId: string, signal: AbortSignal): Promise<Result<null>> => client.ask.removeFile(fileId, signal),

    usualCost: (mostCredits: string): string | null => ledger.usualCost(mostCredits),

    costs: (): ReadonlyMap<string, string> => ledger.creditsByRemoteId(),

    async lookUp(llmRequestId: string | null, signal: AbortSignal): Promise<QuestionStatus | null> {
      if (llmRequestId === null || signal.aborted) return null;
      const status = await client.ask.status(llmRequestId, signal);
      return status.ok ? status.value : null;
    },
  };
}

/** Each question is sent once; a broken answer is looked up, never requested again. */
export type AssistantService = ReturnType<typeof createAssistantService>;

/** For a question with files the service reserves all that the model can read (contract 8, billing rule 2). */
export const mostCredits = (
  model: Parameters<typeof estimateQuestion>[0] & { readonly contextTokens: number | null },
  bytes: number,
  hasFiles: boolean,
  maxTokens: number,
): string | null => {
  if (!hasFiles) return estimateQuestion(model, bytes, maxTokens);
  return model.contextTokens === null ? null : estimateQuestion(model, model.contextTokens, maxTokens);
};

const found = (model: ChosenModel | undefined, code: string): Result<ChosenModel> =>
  model === undefined
    ? err(makeFailure('deleted-at-service', { code, outcome: 'not_sent', layer: 'local' }))
    : ok(model);

/** A model without a price is chosen only when none has one. */
const cheapest = (offers: readonly ChosenModel[]): ChosenModel | undefined =>
  offers.toSorted((a, b) => Number(a.estimate ?? Infinity) - Number(b.estimate ?? Infinity))[0];
