import { useMutation } from '@tanstack/react-query';
import { valueOrThrow } from './request-error.ts';
import { useStudio } from './studio-context.tsx';

/** Saves a support report through the system's dialog; `data.savedAs` is null when the user cancelled. */
export function useSaveDiagnostics() {
  const studio = useStudio();
  return useMutation({ mutationFn: () => valueOrThrow(studio.request('diagnostics.save', {})) });
}
