import { createContext, useContext, type ReactNode, Component } from 'react';

export type PaneFallback = (broken: {
  readonly name: string;
  readonly again: () => void;
  readonly error: unknown;
}) => ReactNode;

const PaneFallbackContext = createContext<PaneFallback>(() => null);

export const PaneFallbackProvider = PaneFallbackContext.Provider;

export interface PaneGuardProps {
  readonly name: string;
  readonly resetKey?: string;
  readonly children: ReactNode;
}

/** A bug in one pane leaves the others, and their shared state, as they are. */
export function PaneErrorBoundary({ name, resetKey, children }: PaneGuardProps) {
  const fallback = useContext(PaneFallbackContext);
  return (
    <ErrorBoundary resetKey={resetKey} fallback={(again, error) => fallback({ name, again, error })}>
      {children}
    </ErrorBoundary>
  );
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  readonly resetKey?: string | undefined;
  readonly fallback: (again: () => void, error: unknown) => ReactNode;
}

type ErrorBoundaryState = { readonly isBroken: boolean; readonly error: unknown };

export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { isBroken: false, error: null };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { isBroken: true, error };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.isBroken && before.resetKey !== this.props.resetKey) this.again();
  }

  readonly again = () => this.setState({ isBroken: false, error: null });

  override render() {
    return this.state.isBroken ? this.props.fallback(this.again, this.state.error) : this.props.children;
  }
}
