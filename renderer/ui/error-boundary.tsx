import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** When it changes there is something else to draw, and that is tried. */
  readonly resetKey?: string | undefined;
  /** What stands in place of the broken part; `again` draws it anew. */
  readonly fallback: (again: () => void, error: unknown) => ReactNode;
}

interface ErrorBoundaryState {
  readonly isBroken: boolean;
  readonly error: unknown;
}

/** Keeps a defect inside the pane it happened in. */
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
