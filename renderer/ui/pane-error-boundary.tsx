import { Component, createContext, use, type ReactNode } from 'react';

export type PaneFallback = (broken: {
  readonly name: string;
  readonly again: () => void;
  readonly error: unknown;
}) => ReactNode;

const PaneFallbackContext = createContext<PaneFallback>(() => null);

export const PaneFallbackProvider = PaneFallbackContext.Provider;

/** A bug in one pane leaves the others, and their shared state, as they are. */
export function PaneErrorBoundary({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const fallback = use(PaneFallbackContext);
  return <ErrorBoundary fallback={(again, error) => fallback({ name, again, error })}>{children}</ErrorBoundary>;
}

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  readonly resetKey?: string | undefined;
  readonly fallback: (again: () => void, error: unknown) => ReactNode;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps> {
  override state: { readonly broken: { readonly error: unknown } | null } = { broken: null };

  static getDerivedStateFromError = (error: unknown) => ({ broken: { error } });

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.broken && before.resetKey !== this.props.resetKey) this.again();
  }

  readonly again = () => this.setState({ broken: null });

  override render() {
    return this.state.broken ? this.props.fallback(this.again, this.state.broken.error) : this.props.children;
  }
}
