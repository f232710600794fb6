import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
  /** What stands in place of the broken part; `again` draws it anew. */
  readonly fallback: (again: () => void) => ReactNode;
}

/** Keeps a defect inside the pane it happened in. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  readonly again = () => {
    this.setState({ isBroken: false });
  };

  override render() {
    return this.state.isBroken ? this.props.fallback(this.again) : this.props.children;
  }
}
