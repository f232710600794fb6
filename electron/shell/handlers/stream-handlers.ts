import type { Contract } from '../../../shared/ipc/contract.ts';
import type { StreamHandlers } from '../../../shared/ipc/derive.ts';
import { dictationStream, type DictationStreamServices } from './dictation-stream.ts';
import { exportStreamHandlers, type ExportStreamServices } from './export-streams.ts';
import { isolationStream, saveResultsStream, type IsolationStreamServices } from './isolation-streams.ts';
import { speakStream, type SpeakStreamServices } from './speak-handlers.ts';
import { recordingStream } from './voices-handlers.ts';
import { ok } from '../../../shared/result/result.ts';
import { askStreamHandlers, type AskStreamServices } from './ask-handlers.ts';

/** A handler for every stream of the contract; a missing one is a compiler error. */
export const createStreamHandlers = (
  services: SpeakStreamServices &
    DictationStreamServices &
    IsolationStreamServices &
    AskStreamServices &
    ExportStreamServices,
): StreamHandlers<Contract> => ({
  ...exportStreamHandlers(services),
  'isolation.saveMix': isolationStream(services),
  'isolation.saveAll': saveResultsStream(services),
  'speak.generate': speakStream(services),
  'clone.record': recordingStream(services),
  'dictation.session': dictationStream(services),
  // The stream stays open as long as the page needs the microphone; it carries no values.
  'dictation.ready': async (_options, stream) => {
    for await (const nothing of stream.incoming) void nothing;
    return ok(undefined);
  },
  ...askStreamHandlers(services),
  'diagnostics.echo': async (_options, stream) => {
    let number = 0;
    for await (const samples of stream.incoming) {
      number += 1;
      await stream.send({ number, samples });
    }
    return ok(undefined);
  },
});
