import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';
import { terminalLanguage } from '../../cli/reporter.ts';
import { openJsonLog, optionalLog } from '../../platform/node/json-log.ts';
import { openSettingsForTerminal } from '../../platform/node/settings-conf.ts';
import type { ContextOptions } from './create-context.ts';
import { prepareService, type TerminalParts } from './terminal-connection.ts';
import { runToolServer } from './tool-server.ts';

/** A packaged app ships no Node: its own program without a window, on the pipes of the caller, without its locks. */
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
    audioWorker: pathToFileURL(places.built('main', 'audio-worker.js')),
    readingWorker: pathToFileURL(places.built('main', 'library-worker.js')),
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
