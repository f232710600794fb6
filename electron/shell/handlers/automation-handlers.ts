import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { isKnownRow } from '../../../shared/domain/failures/rows.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { ok } from '../../../shared/result/result.ts';
import { dialogWords } from '../words.ts';
import { choosePaths } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type AutomationHandlers = Pick<
  Handlers<Contract>,
  'automation.chooseFolder' | 'automation.stopWatching' | 'automation.log' | 'automation.retryCopies'
>;

const shownLines = 200;

export const automationHandlers = ({
  workspaces,
  settings,
  retryCopies,
  window: { windowOf },
}: HandlerServices): AutomationHandlers => ({
  'automation.chooseFolder': async ({ purpose }, { windowId }) => {
    const say = dialogWords(settings.get().interfaceLanguage);
    const [folder] = await choosePaths(windowOf(windowId), {
      title: say(purpose === 'copies' ? 'files.copyFolder' : 'files.watchFolder'),
      properties: purpose === 'copies' ? ['openDirectory', 'createDirectory'] : ['openDirectory'],
    });
    if (folder === undefined) return ok({ isChosen: false });
    settings.update(purpose === 'copies' ? { copyFolder: folder } : { watchFolder: folder });
    return ok({ isChosen: true });
  },
  'automation.stopWatching': async () => {
    settings.update({ watchFolder: null });
    return ok({});
  },
  'automation.retryCopies': async () => {
    await retryCopies();
    return ok({});
  },
  'automation.log': async () => {
    const library = workspaces.current();
    if (!library.ok) return ok({ entries: [] });
    const entries = library.value.automation.list(shownLines).flatMap(({ kind, atMs, name, outcome, row }) => {
      if (outcome === 'there-before') return [];
      const failure = row === null ? null : makeFailure(isKnownRow(row) ? row : 'E-230', { params: { name } });
      return [{ kind, atMs, name, outcome, failure }];
    });
    return ok({ entries });
  },
});
