import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers, StreamHandlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { ConversationService } from '../../services/assistant/conversations.ts';
import type { HandlerServices } from './handler-services.ts';

type AskHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `ask.${string}`>>;

export const askHandlers = ({ workspaces, keys, settings }: HandlerServices): AskHandlers => {
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
          models: catalog.value.models.map(({ id, name, inputPrice, outputPrice }) => ({
            id,
            name,
            inputPrice,
            outputPrice,
          })),
        });
      }),
    'ask.estimate': async (asked) =>
      withConversations((conversations) =>
        conversations.estimate({ ...asked, language: settings.get().interfaceLanguage }),
      ),
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
        return ok({ ...rest, transcriptIds: [...transcriptIds], exchanges: [...exchanges], cited: [...cited] });
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
    'ask.settle': async ({ exchangeId }) => withConversations((conversations) => conversations.settle(exchangeId)),
  };
};

/** What a question stands on. */
export interface AskStreamServices extends Pick<HandlerServices, 'workspaces' | 'keys' | 'settings'> {
  readonly window: Pick<HandlerServices['window'], 'paid'>;
}

export const askStreamHandlers = ({
  workspaces,
  keys,
  settings,
  window: { paid },
}: AskStreamServices): Pick<StreamHandlers<Contract>, 'ask.answer'> => ({
  'ask.answer': async (wanted, stream, caller) => {
    if (keys.isInText(wanted.question)) return err(makeFailure('E-237'));
    const workspace = await workspaces.opened();
    if (!workspace.ok) return workspace;
    const spend = { requests: 1, audioMs: 0, characters: wanted.question.length, isRough: false };
    const admitted = await paid.start(caller, spend);
    if (!admitted.ok) return admitted;
    if (!admitted.value) return err(makeFailure('E-107', { code: 'cancelled', outcome: 'not_sent' }));
    const language = settings.get().interfaceLanguage;
    const ended = await workspace.value.conversations.ask(
      { ...wanted, language },
      (progress) => void stream.send(progress),
    );
    if (!ended.ok) return ended;
    await stream.send({ kind: 'ended', exchange: ended.value });
    return ok(undefined);
  },
});
