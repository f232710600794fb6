import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { appQuery, jobsQuery } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { writeDiagnostics } from './diagnostics.ts';

/** What a report of this error would hold, as it was when it happened, and the way to the clipboard. */
export function useDiagnostics(error: unknown) {
  const studio = useStudio();
  const queries = useQueryClient();
  const [isCopied, setIsCopied] = useState(false);
  const [text] = useState(() =>
    writeDiagnostics({
      error,
      atMs: Date.now(),
      app: queries.getQueryData(appQuery(studio).queryKey) ?? null,
      jobs: queries.getQueryData(jobsQuery(studio).queryKey)?.jobs ?? [],
      location: window.location.hash.slice(1),
    }),
  );
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setIsCopied(true);
  };
  return { text, isCopied, copy };
}
