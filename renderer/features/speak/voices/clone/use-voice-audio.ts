import { useEffect, useState } from 'react';
import type { RecordingCheck } from '../../../../../shared/domain/voices/check-recording.ts';
import { readVoice, type VoiceAudio } from '../../../../audio/voice/read-voice.ts';
import type { VoiceRange } from '../../../../audio/voice/voice-messages.ts';

interface Read<T> {
  readonly of: string;
  readonly value: T | null;
}

/** A recording, decoded in a separate thread. `failed`: it contains no audio. */
export function useVoiceAudio(url: string | null): VoiceAudio | 'reading' | 'failed' | null {
  const [read, setRead] = useState<Read<VoiceAudio> | null>(null);
  useEffect(() => {
    if (url === null) return undefined;
    return readVoice(url, (audio) => {
      setRead({ of: url, value: audio });
    });
  }, [url]);
  if (url === null) return null;
  if (read?.of !== url) return 'reading';
  return read.value ?? 'failed';
}

/** The check of a stretch of it; null while it is being measured. */
export function useCheck(
  audio: VoiceAudio | null,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  { leastMs, mostMs }: VoiceRange,
): RecordingCheck | null {
  const [found, setFound] = useState<{ readonly of: VoiceAudio; readonly check: RecordingCheck } | null>(null);
  useEffect(() => {
    if (audio === null) return undefined;
    let isWanted = true;
    void audio.check({ fromMs, toMs }, { leastMs, mostMs }).then((check) => {
      if (isWanted) setFound({ of: audio, check });
    });
    return () => {
      isWanted = false;
    };
  }, [audio, fromMs, toMs, leastMs, mostMs]);
  return found !== null && found.of === audio ? found.check : null;
}
