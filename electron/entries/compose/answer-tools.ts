import type { BrowserWindow } from 'electron';
import { basename } from 'node:path';
import { statSync } from 'node:fs';
import type { ModeId } from '../../../shared/domain/modes.ts';
import { makeFailure } from '../../../shared/domain/failures/make-failure.ts';
import { lengthBySize } from '../../../shared/domain/spend/spend-limit.ts';
import { err, ok, type Result } from '../../../shared/result/result.ts';
import { askTools } from '../../shell/ask-tools.ts';
import { serveStudioSocket } from '../../platform/node/studio-socket.ts';
import { walkFiles } from '../../platform/node/walk-files.ts';
import type { Intake } from '../../services/intake/intake.ts';
import type { SettingsStore } from '../../services/settings/settings-store.ts';
import { answerOf, studioRequest, type QueuedFiles, type QueueRequest } from '../../services/tools/studio-messages.ts';
import { createToolConsent, type ToolSession } from '../../services/tools/tool-consent.ts';

export interface AnswerToolsOptions {
  readonly dataRoot: string;
  readonly settings: SettingsStore;
  readonly intake: Intake;
  /** Brings the app's window to the front, opening one if there is none. */
  readonly showWindow: () => BrowserWindow;
}

/**
 * Answers the tool servers of this computer while the app runs: asks the user for consent, and adds files to the queue.
 */
export function answerTools({ dataRoot, settings, intake, showWindow }: AnswerToolsOptions): () => void {
  const consent = createToolConsent({
    settings: () => settings,
    now: () => Date.now(),
    ask: (request) => askTools(showWindow(), request, settings.get().interfaceLanguage),
  });

  const queue = async (
    { paths, language, includeSpeakers }: QueueRequest,
    { client, mode }: { readonly client: string | null; readonly mode: ModeId },
    session: ToolSession,
    signal: AbortSignal,
  ): Promise<Result<QueuedFiles>> => {
    // The queue of the other mode is not open, and files must never go to another service than the one intended.
    if (settings.get().mode !== mode) return err(makeFailure('E-236', { code: 'other_mode' }));
    const isAllowed = await consent.allow(
      {
        client,
        tool: 'library_queue_files',
        action: 'queue',
        // The queue itself counts what is sent, and asks again above the hourly limit.
        estimate: { requests: 0, audioMs: await lengthOf(paths), characters: 0, isRough: true },
        items: paths.map((path) => basename(path)),
        mode,
      },
      session,
    );
    if (!isAllowed.ok) return isAllowed;
    const adder = { windowId: showWindow().id, isByPerson: true, watch: { signal, onProgress: () => undefined } };
    const added = await intake.add(adder, { paths, options: { kind: 'transcribe', language, includeSpeakers } });
    if (!added.ok) return added;
    const { addedCount, repeatedCount, leftCount, refused } = added.value;
    return ok({
      added: addedCount,
      repeated: repeatedCount,
      left: leftCount,
      refused: refused.map(({ name, failure }) => ({ name, code: failure.code })),
    });
  };

  return serveStudioSocket(dataRoot, () => {
    const session: ToolSession = { maySpend: false };
    const gone = new AbortController();
    return {
      async answer(message) {
        const read = studioRequest().safeParse(message);
        if (!read.success) return { failure: makeFailure('E-231', { code: 'unknown_request' }) };
        const request = read.data;
        return answerOf<unknown>(
          request.kind === 'consent'
            ? await consent.allow(request.request, session)
            : await queue(request, request, session, gone.signal),
        );
      },
      close: () => gone.abort(),
    };
  });
}

async function lengthOf(paths: readonly string[]): Promise<number> {
  const { files } = await walkFiles(paths);
  return files.reduce((sum, { path }) => sum + lengthBySize(statSync(path, { throwIfNoEntry: false })?.size ?? 0), 0);
}
