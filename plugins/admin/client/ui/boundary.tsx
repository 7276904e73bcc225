import { Component, type ReactNode } from "react";

interface BoundaryProps {
  /** What is shown in place of what threw. */
  readonly fallback: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

/** Keeps what a part throws from the rest of the page. */
export class Boundary extends Component<BoundaryProps, { readonly error: unknown }> {
  override state: { readonly error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === undefined ? this.props.children : this.props.fallback(error);
  }
}
