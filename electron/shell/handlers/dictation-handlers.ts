import { basename } from 'node:path';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { dictationRate } from '../../../shared/domain/dictation/phrase-cutter.ts';
import { toCsv } from '../../../shared/domain/dictation/replacements.ts';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers, StreamHandlers } from '../../../shared/ipc/derive.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import type { DictationService } from '../../services/dictation/dictation-service.ts';
import { translate } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type DictationHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `dictation.${string}`>>;
export type DictationStreamServices = Pick<HandlerServices, 'workspaces' | 'settings'> & {
  readonly window: Pick<HandlerServices['window'], 'hearDictation'>;
};

const noSuchTake = makeFailure('E-040', { code: 'no_such_take', outcome: 'not_sent', layer: 'local' });

/** What a page may do with takes that are spoken already. */
export function dictationHandlers({
  workspaces,
  settings,
  saveText,
  window: { mediaTokens, dictationReach, windowOf },
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
    'dictation.edit': async ({ takeId, phraseId, text }) =>
      withTakes((takes) => did(takes.edit(takeId, phraseId, text))),
    'dictation.saveReplacements': async (_input, { windowId }) => {
      const { interfaceLanguage, replacements } = settings.get();
      const path = await chooseSavePath(windowOf(windowId), {
        title: translate(interfaceLanguage, 'dictation.replacements.export'),
        defaultPath: 'ovoz-replacements.csv',
        filters: [{ name: 'CSV', extensions: ['csv'] }],
      });
      if (path === null) return ok({ savedAs: null });
      // Spreadsheets know by the mark in front that it is UTF-8.
      const saved = await saveText(path, `\uFEFF${toCsv(replacements)}`);
      return saved.ok ? ok({ savedAs: basename(path) }) : saved;
    },
    'dictation.reach': async () => ok(await dictationReach()),
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

/** Audio of a page becomes a take; it ends with the stream, however that ends. */
export function dictationStream({
  workspaces,
  settings,
  window: { hearDictation },
}: DictationStreamServices): StreamHandlers<Contract>['dictation.session'] {
  return async ({ mode, device, continues }, stream) => {
    const workspace = workspaces.current();
    if (!workspace.ok) return workspace;
    // The key of the system may just have chosen another language, by the program or the keyboard.
    const { storesNoTakes, dictationLanguage: language } = settings.get();
    const recording = workspace.value.dictation.start({
      language,
      mode,
      device,
      storesNothing: storesNoTakes,
      continues,
    });
    if (!recording.ok) return recording;
    const take = recording.value;
    let heard = 0;
    let lost = 0;
    try {
      await stream.send({ kind: 'started', takeId: take.takeId, fromMs: take.fromMs });
      for await (const message of stream.incoming) {
        if (message.kind === 'language') {
          take.setLanguage(message.language);
          continue;
        }
        const { at, pcm, speech } = message;
        lost = Math.max(lost, at - heard);
        heard += pcm.length;
        hearDictation(pcm);
        take.push(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), speech, (lost * 1000) / dictationRate);
      }
    } finally {
      take.end();
    }
    return ok(undefined);
  };
}
