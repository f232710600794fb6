import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** When it changes, the content is different and is rendered again. */
  readonly resetKey?: string | undefined;
  /** Replaces the broken part; `again` renders it again. */
  readonly fallback: (again: () => void, error: unknown) => ReactNode;
}

interface ErrorBoundaryState {
  readonly isBroken: boolean;
  readonly error: unknown;
}

/** Confines a bug to the pane it happened in. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { isBroken: false, error: null };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { isBroken: true, error };
  }

  override componentDidUpdate(before: ErrorBoundaryProps) {
    if (this.state.isBroken && before.resetKey !== this.props.resetKey) this.again();
  }

  readonly again = () => {
    this.setState({ isBroken: false, error: null });
  };

  override render() {
    return this.state.isBroken ? this.props.fallback(this.again, this.state.error) : this.props.children;
  }
}
