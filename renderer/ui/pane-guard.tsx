import { createContext, useContext, type ReactNode } from 'react';
import { ErrorBoundary } from './error-boundary.tsx';

/** What stands in place of a broken pane. */
export type PaneFallback = (broken: {
  readonly name: string;
  readonly again: () => void;
  readonly error: unknown;
}) => ReactNode;

const PaneFallbackContext = createContext<PaneFallback>(() => null);

/** Given once by the app, which knows what a report of a defect may hold. */
export const PaneFallbackProvider = PaneFallbackContext.Provider;

export interface PaneGuardProps {
  /** What the pane is called on screen. */
  readonly name: string;
  /** When it changes there is something else to draw, and that is tried. */
  readonly resetKey?: string;
  readonly children: ReactNode;
}

/** Around one pane of a screen: a defect in it leaves the others, and what they share, as they are. */
export function PaneGuard({ name, resetKey, children }: PaneGuardProps) {
  const fallback = useContext(PaneFallbackContext);
  return (
    <ErrorBoundary resetKey={resetKey} fallback={(again, error) => fallback({ name, again, error })}>
      {children}
    </ErrorBoundary>
  );
}
