import { basename } from 'node:path';
import { isLineTask } from '../../../shared/domain/assistant/ask-tasks.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers, StreamHandlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ExchangeView } from '../../../shared/ipc/contract-ask.ts';
import type { ConversationService } from '../../services/assistant/conversations.ts';
import type { Exchange } from '../../services/assistant/conversation-store.ts';
import { dialogWords } from '../words.ts';
import { choosePaths } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type AskHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `ask.${string}`>>;

/** The form pages get: without the paths of files. */
const viewOf = (exchange: Exchange): ExchangeView => ({
  ...exchange,
  files: exchange.files.map(({ name, sizeBytes, purpose }) => ({ name, sizeBytes, purpose })),
});

type Tokens = Pick<HandlerServices['window']['fileTokens'], 'resolve'>;

/** The paths behind tokens; E-010 for one that nobody was given. */
function pathsOf(fileTokens: Tokens, windowId: number, tokens: readonly string[]): Result<string[]> {
  const paths = tokens.flatMap((token) => fileTokens.resolve(windowId, token) ?? []);
  return paths.length === tokens.length ? ok(paths) : err(makeFailure('E-010', { code: 'unknown_file' }));
}

export const askHandlers = ({ workspaces, keys, settings, window }: HandlerServices): AskHandlers => {
  const { fileTokens, windowOf } = window;
  const withConversations = async <T>(
    ask: (conversations: ConversationService) => Promise<Result<T>> | Result<T>,
  ): Promise<Result<T>> => {
    const workspace = await workspaces.opened();
    return workspace.ok ? ask(workspace.value.conversations) : workspace;
  };
  const done = async (work: (conversations: ConversationService) => Promise<Result<unknown>> | Result<unknown>) =>
    withConversations(async (conversations) => {
      const result = await work(conversations);
      return result.ok ? ok({}) : result;
    });

  return {
    'ask.models': async () =>
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
    'ask.estimate': async (asked, { windowId }) =>
      withConversations(async (conversations) => {
        const files = pathsOf(fileTokens, windowId, asked.files);
        if (!files.ok) return files;
        const language = settings.get().interfaceLanguage;
        return conversations.estimate({ ...asked, files: files.value, language });
      }),
    'ask.attach': async ({ tokens }, { windowId }) =>
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
    'ask.saveLines': async ({ exchangeId, title }) =>
      keys.isInText(title)
        ? err(makeFailure('E-237'))
        : withConversations((conversations) => conversations.saveLines(exchangeId, title)),
    'ask.conversations': async () =>
      withConversations((conversations) => {
        const listed = conversations.list();
        if (!listed.ok) return listed;
        return ok({
          conversations: listed.value.map((one) => ({ ...one, transcriptIds: [...one.transcriptIds] })),
        });
      }),
    'ask.open': async ({ conversationId }) =>
      withConversations((conversations) => {
        const opened = conversations.open(conversationId);
        if (!opened.ok) return opened;
        const { transcriptIds, exchanges, cited, ...rest } = opened.value;
        return ok({ ...rest, transcriptIds: [...transcriptIds], exchanges: exchanges.map(viewOf), cited: [...cited] });
      }),
    'ask.rename': async ({ conversationId, title }) =>
      keys.isInText(title)
        ? err(makeFailure('E-237'))
        : done((conversations) => conversations.rename(conversationId, title)),
    'ask.stop': async ({ exchangeId }) =>
      withConversations((conversations) => {
        conversations.stop(exchangeId);
        return ok({});
      }),
    'ask.settle': async ({ exchangeId }) =>
      withConversations(async (conversations) => {
        const settled = await conversations.settle(exchangeId);
        return settled.ok ? ok(viewOf(settled.value)) : settled;
      }),
  };
};

/** What a question stands on. */
export interface AskStreamServices extends Pick<HandlerServices, 'workspaces' | 'keys' | 'settings'> {
  readonly window: Pick<HandlerServices['window'], 'paid' | 'fileTokens'>;
}

export const askStreamHandlers = ({
  workspaces,
  keys,
  settings,
  window: { paid, fileTokens },
}: AskStreamServices): Pick<StreamHandlers<Contract>, 'ask.answer'> => ({
  'ask.answer': async (wanted, stream, caller) => {
    if (keys.isInText(wanted.question)) return err(makeFailure('E-237'));
    const files = pathsOf(fileTokens, caller.windowId, wanted.files);
    if (!files.ok) return files;
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    const language = settings.get().interfaceLanguage;
    const asked = { ...wanted, files: files.value, language };
    const lines = isLineTask(wanted.task) ? await workspace.value.conversations.estimate(asked) : null;
    if (lines?.ok === false) return lines;
    const spend = {
      requests: lines?.value.requests ?? 1,
      audioMs: 0,
      characters: wanted.question.length,
      isRough: false,
    };
    const admitted = await paid.start(caller, spend);
    if (!admitted.ok) return admitted;
    if (!admitted.value) return err(makeFailure('E-107', { code: 'cancelled', outcome: 'not_sent' }));
    const ended = await workspace.value.conversations.ask(
      asked,
      (progress) =>
        void stream.send(progress.kind === 'began' ? { kind: 'began', exchange: viewOf(progress.exchange) } : progress),
    );
    if (!ended.ok) return ended;
    await stream.send({ kind: 'ended', exchange: viewOf(ended.value) });
    return ok(undefined);
  },
});
