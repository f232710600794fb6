import { useMutation } from '@tanstack/react-query';
import { valueOrThrow } from './request-error.ts';
import { useStudio } from './studio-context.tsx';

export function useSaveDiagnostics() {
  const studio = useStudio();
  return useMutation({ mutationFn: () => valueOrThrow(studio.request('diagnostics.save', {})) });
}
