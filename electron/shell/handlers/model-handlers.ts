import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { ok } from '../../../shared/result/result.ts';
import { dialogWords } from '../words.ts';
import { choosePaths } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type ModelHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `models.${string}`>>;

export const modelHandlers = ({
  models: { downloads, hasOwn },
  settings,
  window: { windowOf },
}: HandlerServices): ModelHandlers => ({
  'models.list': async () => ok({ models: [...(await downloads.list())], refused: [...downloads.refused()], hasOwn }),
  'models.get': async ({ id }) => {
    downloads.get(id);
    return ok({});
  },
  'models.pause': async ({ id }) => {
    await downloads.pause(id);
    return ok({});
  },
  'models.remove': async ({ id }) => {
    await downloads.remove(id);
    return ok({});
  },
  'models.add': async (_input, { windowId }) => {
    const say = dialogWords(settings.get().interfaceLanguage);
    const paths = await choosePaths(windowOf(windowId), {
      title: say('files.modelFiles'),
      properties: ['openFile', 'multiSelections'],
      filters: [
        { name: say('files.models'), extensions: ['onnx', 'txt'] },
        { name: say('files.allFiles'), extensions: ['*'] },
      ],
    });
    return paths.length === 0 ? ok(null) : downloads.add(paths);
  },
  'models.dismissRefused': async () => {
    downloads.dismissRefused();
    return ok({});
  },
});
