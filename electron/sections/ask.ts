import { choosePaths } from '../shell/choose-paths.ts';
import { basename } from 'node:path';
import {
  isLineTask,
  mostAskedAbout,
  askTasks,
  longestQuestion,
  attachedAtMost,
} from '../../shared/domain/assistant/ask-tasks.ts';
import type { SpendEstimate } from '../../shared/domain/spend/spend-limit.ts';
import { makeFailure } from '../../shared/domain/failures/make-failure.ts';
import { err, ok, type Result } from '../../shared/result/result.ts';
import type { Exchange, PricedExchange } from '../services/assistant/conversations.ts';
import type { ConversationService } from '../services/assistant/conversation-service.ts';
import { dialogWords } from '../shell/words.ts';
import type { Citation } from '../../shared/domain/assistant/ask-messages.ts';
import { procedure, streamOf } from '../ipc/procedure.ts';
import { askOpened, id, type App } from './context.ts';
import { z } from 'zod';

const asked = z.strictObject({
  conversationId: id.nullable(),
  transcriptIds: z.array(id).max(mostAskedAbout),
  task: z.enum(askTasks),
  question: z.string().max(longestQuestion),
  files: z.array(z.string().max(100)).max(attachedAtMost.question),
  model: z.string().max(200),
});

const source = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['item', 'folder', 'tag']), id }),
  z.strictObject({ kind: z.literal('search'), id: z.string().max(1000), itemIds: z.array(id).max(100_000).readonly() }),
]);

const viewOf = (exchange: Exchange | PricedExchange) => ({
  usual: null,
  ...exchange,
  files: exchange.files.map(({ name, sizeBytes, purpose }) => ({ name, sizeBytes, purpose })),
});

type Tokens = Pick<App['fileTokens'], 'resolve'>;

/** The paths behind tokens; file-unreadable for one that nobody was given. */
function pathsOf(fileTokens: Tokens, windowId: number, tokens: readonly string[]): Result<string[]> {
  const paths = tokens.flatMap((token) => fileTokens.resolve(windowId, token) ?? []);
  return paths.length === tokens.length ? ok(paths) : err(makeFailure('file-unreadable', { code: 'unknown_file' }));
}

export const askProcedures = ({ workspaces, keys, settings, fileTokens, windowOf }: App) => {
  const withConversations = askOpened(workspaces, (workspace) => workspace.conversations);
  const done = async (work: (conversations: ConversationService) => Promise<Result<unknown>> | Result<unknown>) =>
    withConversations(async (conversations) => {
      const result = await work(conversations);
      return result.ok ? ok({}) : result;
    });

  return {
    'ask.models': procedure(z.strictObject({}), async () =>
      withConversations(async (conversations) => {
        const catalog = await conversations.models();
        if (!catalog.ok) return catalog;
        return ok({
          models: catalog.value.models.map(({ id, name, inputPrice, outputPrice, seesImages, readsDocuments }) => ({
            id,
            name,
            inputPrice,
            outputPrice,
            seesImages,
            readsDocuments,
          })),
        });
      }),
    ),
    /** The maximum cost, in credits as decimal text; null: the prices are not known. */
    'ask.estimate': procedure(asked, async (asked, { windowId }) =>
      withConversations(async (conversations) => {
        const files = pathsOf(fileTokens, windowId, asked.files);
        if (!files.ok) return files;
        const language = settings.get().interfaceLanguage;
        return conversations.estimate({ ...asked, files: files.value, language });
      }),
    ),
    /** For null, those chosen in the system's dialog; nothing is sent before the question is asked. */
    'ask.attach': procedure(
      z.strictObject({ tokens: z.array(z.string().max(100)).max(100).nullable() }),
      async ({ tokens }, { windowId }) =>
        withConversations(async (conversations) => {
          const words = dialogWords(settings.get().interfaceLanguage);
          const paths =
            tokens?.flatMap((token) => fileTokens.resolve(windowId, token) ?? []) ??
            (await choosePaths(windowOf(windowId), {
              title: words('files.attach'),
              properties: ['openFile', 'multiSelections'],
              filters: [
                { name: words('files.attachments'), extensions: ['png', 'jpg', 'jpeg', 'webp', 'gif', 'pdf'] },
                { name: words('files.allFiles'), extensions: ['*'] },
              ],
            }));
          const judged = await Promise.all(
            paths.map(async (path) => ({ path, inspected: await conversations.inspectFile(path) })),
          );
          return ok({
            files: judged.flatMap(({ path, inspected }) =>
              inspected.ok ? [{ ...inspected.value, token: fileTokens.issue(windowId, path) }] : [],
            ),
            refused: judged.flatMap(({ path, inspected }) =>
              inspected.ok ? [] : [{ name: basename(path), failure: inspected.error }],
            ),
          });
        }),
    ),
    'ask.saveLines': procedure(
      z.strictObject({ exchangeId: id, title: z.string().min(1).max(300) }),
      async ({ exchangeId, title }) =>
        keys.isInText(title)
          ? err(makeFailure('key-in-text'))
          : withConversations((conversations) => conversations.saveLines(exchangeId, title)),
    ),
    'ask.conversations': procedure(z.strictObject({}), async () =>
      withConversations((conversations) => {
        const listed = conversations.list();
        if (!listed.ok) return listed;
        return ok({
          conversations: listed.value.map((one) => ({ ...one, transcriptIds: [...one.transcriptIds] })),
        });
      }),
    ),
    'ask.open': procedure(z.strictObject({ conversationId: id }), async ({ conversationId }) =>
      withConversations((conversations) => {
        const opened = conversations.open(conversationId);
        if (!opened.ok) return opened;
        const { transcriptIds, exchanges, cited, ...rest } = opened.value;
        return ok({ ...rest, transcriptIds: [...transcriptIds], exchanges: exchanges.map(viewOf), cited: [...cited] });
      }),
    ),
    'ask.rename': procedure(
      z.strictObject({ conversationId: id, title: z.string().min(1).max(300) }),
      async ({ conversationId, title }) =>
        keys.isInText(title)
          ? err(makeFailure('key-in-text'))
          : done((conversations) => conversations.rename(conversationId, title)),
    ),
    'ask.stop': procedure(z.strictObject({ exchangeId: id }), async ({ exchangeId }) =>
      withConversations((conversations) => {
        conversations.stop(exchangeId);
        return ok({});
      }),
    ),
    'ask.settle': procedure(z.strictObject({ exchangeId: id }), async ({ exchangeId }) =>
      withConversations(async (conversations) => {
        const settled = await conversations.settle(exchangeId);
        return settled.ok ? ok(viewOf(settled.value)) : settled;
      }),
    ),
  };
};

export const askStreams = ({ workspaces, keys, settings, paid, fileTokens }: App) => ({
  /** Closing the page does not stop the answer, which is paid for; `ask.stop` does. */
  'ask.answer': streamOf<
    | { kind: 'began' | 'ended'; exchange: ReturnType<typeof viewOf> }
    | { kind: 'text'; piece: string; citations?: readonly Citation[] }
  >()(
    {
      open: asked.extend({
        sources: z.array(source).max(100_000).readonly(),
        title: z.string().max(300),
        again: id.nullable(),
      }),
      up: z.never(),
    },
    async (wanted, stream, caller) => {
      if (keys.isInText(wanted.question)) return err(makeFailure('key-in-text'));
      const files = pathsOf(fileTokens, caller.windowId, wanted.files);
      if (!files.ok) return files;
      const workspace = await workspaces.opened();
      if (!workspace.ok) return workspace;
      const language = settings.get().interfaceLanguage;
      const asked = { ...wanted, files: files.value, language };
      const estimating = workspace.value.conversations.estimate(asked);
      const lines = isLineTask(wanted.task) ? await estimating : null;
      if (lines?.ok === false) return lines;
      const spendOf = async (): Promise<SpendEstimate> => {
        const known = await estimating;
        const price = known.ok ? { usual: known.value.usual, most: known.value.credits } : undefined;
        const requests = known.ok ? known.value.requests : 1;
        return { requests, audioMs: 0, characters: wanted.question.length, price, isRough: false };
      };
      const admitted = await paid.start(caller, spendOf());
      if (!admitted.ok) return admitted;
      if (!admitted.value) return err(makeFailure('stopped', { code: 'cancelled', outcome: 'not_sent' }));
      const ended = await workspace.value.conversations.ask(
        asked,
        (progress) =>
          void stream.send(
            progress.kind === 'began' ? { kind: 'began', exchange: viewOf(progress.exchange) } : progress,
          ),
      );
      if (!ended.ok) return ended;
      await stream.send({ kind: 'ended', exchange: viewOf(ended.value) });
      return ok(undefined);
    },
  ),
});
