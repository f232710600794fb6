import { createContext, useContext, type ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

/** What stands in place of a broken pane. */
export type PaneFallback = (broken: {
  readonly name: string;
  readonly again: () => void;
  readonly error: unknown;
}) => ReactNode;

const PaneFallbackContext = createContext<PaneFallback>(() => null);

/** Provided once by the app, which knows what a crash report may contain. */
export const PaneFallbackProvider = PaneFallbackContext.Provider;

export interface PaneGuardProps {
  /** What the pane is called on screen. */
  readonly name: string;
  /** When it changes, the content is different and is rendered again. */
  readonly resetKey?: string;
  readonly children: ReactNode;
}

/** Wraps one pane of a screen: a bug in it leaves the others, and their shared state, as they are. */
export function PaneGuard({ name, resetKey, children }: PaneGuardProps) {
  const fallback = useContext(PaneFallbackContext);
  return (
    <ErrorBoundary resetKey={resetKey} fallback={(again, error) => fallback({ name, again, error })}>
      {children}
    </ErrorBoundary>
  );
}
