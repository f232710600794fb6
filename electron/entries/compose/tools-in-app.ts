import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { terminalLanguage } from '../../cli/words.ts';
import { optionalLog, openJsonLog } from '../../platform/node/json-log.ts';
import { openSettingsForTerminal } from '../../platform/node/settings-conf.ts';
import type { ContextOptions } from './create-context.ts';
import { prepareService, type TerminalParts } from './terminal-connection.ts';
import { runToolServer } from './tool-server.ts';

/**
 * The tool server in a packaged app, which ships no Node: the app's own program without a window, on the pipes of the
 * calling program. It ignores the running app and takes none of its locks.
 */
export async function serveToolsInApp({ places, folder, environment, isPackaged }: ContextOptions): Promise<void> {
  app.dock?.hide();
  const settings = () => openSettingsForTerminal(folder.root, () => undefined).get();
  const parts: TerminalParts = {
    folder,
    environment,
    isPackaged,
    settings,
    log: optionalLog(openJsonLog(join(folder.logs, 'tools.log')), () => settings().keepsLog),
    practiceScript: places.built('main', 'practice.js'),
    audioWorker: pathToFileURL(places.built('main', 'sound.js')),
    readingWorker: pathToFileURL(places.built('main', 'reading.js')),
  };
  const stop = new AbortController();
  app.on('before-quit', () => stop.abort());
  await runToolServer({
    parts,
    mode: 'service',
    language: terminalLanguage(process.env),
    version: app.getVersion(),
    prepare: async () => prepareService(parts),
    signal: stop.signal,
  });
  app.exit(0);
}
