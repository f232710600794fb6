import { basename } from 'node:path';
import type { Contract } from '../../../shared/ipc/contract.ts';
import type { Handlers } from '../../../shared/ipc/derive.ts';
import { ok } from '../../../shared/result/result.ts';
import { diagnosticsName } from '../../services/diagnostics/write-diagnostics.ts';
import { dialogWords } from '../words.ts';
import { chooseSavePath } from './choose-paths.ts';
import type { HandlerServices } from './handler-services.ts';

type DiagnosticsHandlers = Pick<Handlers<Contract>, Extract<keyof Contract['requests'], `diagnostics.${string}`>>;

export const diagnosticsHandlers = ({
  collectDiagnostics,
  saveText,
  settings,
  window: { windowOf },
}: HandlerServices): DiagnosticsHandlers => ({
  'diagnostics.save': async (_input, { windowId }) => {
    const path = await chooseSavePath(windowOf(windowId), {
      title: dialogWords(settings.get().interfaceLanguage)('files.saveReport'),
      defaultPath: diagnosticsName(Date.now()),
      filters: [{ name: 'JSON', extensions: ['json'] }],
    });
    if (path === null) return ok({ savedAs: null });
    const saved = await saveText(path, await collectDiagnostics());
    return saved.ok ? ok({ savedAs: basename(path) }) : saved;
  },
});
