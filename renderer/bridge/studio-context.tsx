import { createContext, useContext } from 'react';
import type { StudioClient } from './client.ts';

const StudioContext = createContext<StudioClient | null>(null);

export const StudioProvider = StudioContext.Provider;

export function useStudio(): StudioClient {
  const studio = useContext(StudioContext);
  if (studio === null) throw new Error('useStudio outside of StudioProvider');
  return studio;
}
