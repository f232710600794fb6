import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Failure } from '../../../shared/result/failure.ts';
import { acceptConnection } from '../../bridge/live-state.tsx';
import { useStudio } from '../../bridge/studio-context.tsx';

/** Ends the first screen, or changes between the service and practice. */
export function useChooseMode() {
  const studio = useStudio();
  const queries = useQueryClient();
  const [isChoosing, setIsChoosing] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const choose = async (mode: 'service' | 'practice') => {
    setIsChoosing(true);
    setFailure(null);
    const answer = await studio.request('connection.choose', { mode });
    if (answer.ok) {
      acceptConnection(queries, studio, answer.value);
      await queries.invalidateQueries({ queryKey: ['jobs'] });
    } else setFailure(answer.error);
    setIsChoosing(false);
  };
  return { choose, isChoosing, failure };
}
