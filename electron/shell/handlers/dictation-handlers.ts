import { basename } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { toCsv } from '../../../shared/domain/dictation/replacements.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { DictationService } from '../../services/dictation/dictation-service.ts';
import { translate } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type DictationHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `dictation.${string}`>>;

const noSuchTake = makeFailure('E-040', { code: 'no_such_take', outcome: 'not_sent', layer: 'local' });

/** The actions of a page on finished takes. */
export function dictationHandlers({
  workspaces,
  settings,
  saveText,
  window: { mediaTokens, dictationReach, tryPaste, windowOf, paid },
}: Pick<HandlerServices, 'workspaces' | 'window' | 'settings' | 'saveText'>): DictationHandlers {
  const withTakes = <T>(work: (takes: DictationService) => Result<T>): Result<T> => {
    const workspace = workspaces.current();
    return workspace.ok ? work(workspace.value.dictation) : workspace;
  };
  const did = (isDone: boolean): Result<Record<string, never>> => (isDone ? ok({}) : err(noSuchTake));
  return {
    'dictation.list': async () => {
      const workspace = workspaces.current();
      return workspace.ok ? ok({ takes: [...(await workspace.value.dictation.list())] }) : workspace;
    },
    'dictation.read': async ({ takeId }) =>
      withTakes((takes) => {
        const found = takes.read(takeId);
        if (found === null) return err(noSuchTake);
        const path = takes.audioPath(takeId);
        const mediaToken = path === null ? null : mediaTokens.issue({ path, sha256: `take-${takeId}` });
        return ok({ summary: found.summary, phrases: [...found.phrases], mediaToken });
      }),
    'dictation.sendAgain': async ({ takeId, phrase }) => withTakes((takes) => did(takes.sendAgain(takeId, phrase))),
    'dictation.discard': async ({ takeId, phraseId }) => withTakes((takes) => did(takes.discard(takeId, phraseId))),
    'dictation.restore': async ({ takeId, phraseId }) => withTakes((takes) => did(takes.restore(takeId, phraseId))),
    'dictation.edit': async ({ takeId, phraseId, text }) =>
      withTakes((takes) => did(takes.edit(takeId, phraseId, text))),
    'dictation.showRaw': async ({ takeId, phraseId, isRaw }) =>
      withTakes((takes) => did(takes.showRaw(takeId, phraseId, isRaw))),
    'dictation.cleanUp': async ({ takeId, phraseId, style, sendsAgain }, caller) => {
      const toSend = withTakes((takes) => ok(takes.charactersToSend(takeId, phraseId, style)));
      if (!toSend.ok) return toSend;
      if (toSend.value === null) return err(noSuchTake);
      if (toSend.value > 0) {
        const estimate = { requests: 1, audioMs: 0, characters: toSend.value, isRough: false };
        const admitted = await paid.start(caller, estimate);
        if (!admitted.ok) return admitted;
        if (!admitted.value) return err(makeFailure('E-107', { code: 'cancelled', outcome: 'not_sent' }));
      }
      return withTakes((takes) => did(takes.cleanUp(takeId, phraseId, style, sendsAgain)));
    },
    'dictation.cleanUpCost': async ({ style }) => {
      const workspace = workspaces.current();
      if (!workspace.ok) return workspace;
      const cost = await workspace.value.cleanUpCost(style);
      return cost.ok ? ok({ model: cost.value.model, credits: cost.value.estimate }) : cost;
    },
    'dictation.saveReplacements': async (_input, { windowId }) => {
      const { interfaceLanguage, replacements } = settings.get();
      const path = await chooseSavePath(windowOf(windowId), {
        title: translate(interfaceLanguage, 'dictation.replacements.export'),
        defaultPath: 'ovoz-replacements.csv',
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      });
      if (path === null) return ok({ savedAs: null });
      // The byte order mark lets spreadsheets recognise UTF-8.
      const saved = await saveText(path, `\uFEFF${toCsv(replacements)}`);
      return saved.ok ? ok({ savedAs: basename(path) }) : saved;
    },
    'dictation.reach': async () => ok(await dictationReach()),
    'dictation.tryPaste': async ({ text }, { windowId }) => {
      // Never into another program: nobody dictated this.
      await tryPaste(text, () => windowOf(windowId)?.isFocused() === true);
      return ok({});
    },
    'dictation.pin': async ({ takeId, isPinned }) => withTakes((takes) => did(takes.setPinned(takeId, isPinned))),
    'dictation.delete': async ({ takeId }) => {
      const workspace = workspaces.current();
      if (!workspace.ok) return workspace;
      const trashed = await workspace.value.items.trash([{ kind: 'dictation', id: takeId }]);
      return trashed.ok ? ok({}) : trashed;
    },
    'dictation.saveDocument': async ({ takeId, name }) => {
      const workspace = workspaces.current();
      return workspace.ok ? workspace.value.saveTake(takeId, name) : workspace;
    },
  };
}
