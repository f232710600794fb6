import { useEffect, useRef, useState } from 'react';
import { RequestRefused, valueOrThrow } from '../../../../bridge/request-error.ts';
import { useStudio } from '../../../../bridge/studio-context.tsx';
import type { SavedExport, SaveRequest } from '../../../../bridge/types.ts';

const nothing: SavedExport = { savedAs: null, revealToken: null };

/** Exports audio, which takes time. Provides the progress (null while nothing is written) and a function to stop. */
export function useAudioExport() {
  const studio = useStudio();
  const [share, setShare] = useState<number | null>(null);
  const stop = useRef<(() => void) | null>(null);
  // Closing the dialog cancels the export.
  useEffect(() => () => stop.current?.(), []);
  return {
    share,
    cancel: () => stop.current?.(),
    async save(wanted: SaveRequest): Promise<SavedExport> {
      const stream = await valueOrThrow(studio.open('exports.saveAudio', wanted));
      const { cancel } = stream;
      stop.current = cancel;
      let saved = nothing;
      for await (const message of stream.incoming) {
        if (message.kind !== 'share') saved = message;
        else if (stop.current === cancel) setShare(message.share);
      }
      // Another one may have begun since this was stopped.
      if (stop.current === cancel) {
        stop.current = null;
        setShare(null);
      }
      const ended = await stream.ended;
      if (ended.ok || ended.error.code === 'stream_cancelled') return saved;
      throw new RequestRefused(ended.error);
    },
  };
}
