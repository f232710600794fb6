import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { appQuery, jobsQuery } from '../bridge/live-state.tsx';
import { useStudio } from '../bridge/studio-context.tsx';
import { writeDiagnostics } from './diagnostics.ts';
import { copyText } from '../ui/notices.ts';

/** The content of a report about this error, as of when it happened, and a way to copy it. */
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
    setIsCopied(await copyText(text));
  };
  return { text, isCopied, copy };
}
