import { useQuery } from '@tanstack/react-query';
import { valueOrThrow } from '../../bridge/request-error.ts';
import { useStudio } from '../../bridge/studio-context.tsx';
import { transcriptListKey } from './transcripts-query.ts';

/** Every named speaker of this library; nothing is guessed, the user chooses. */
export function useKnownSpeakers() {
  const studio = useStudio();
  return useQuery({
    queryKey: [...transcriptListKey, 'speakers'],
    queryFn: async () => (await valueOrThrow(studio.request('library.speakers', {}))).speakers,
    retry: false,
  });
}
