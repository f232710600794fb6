/** Whether the computer has a network at all; says nothing of the service. */
export interface NetworkStatus {
  isOnline(): boolean;
  /** The addresses of this computer, as they are now. */
  addresses(): ReadonlySet<string>;
  /** Tells that the network came or went, or that an address did. */
  onChanged(listener: () => void): () => void;
}
