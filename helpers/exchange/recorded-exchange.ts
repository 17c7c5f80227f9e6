/** An exchange as it may be written to disk: redacted at capture. */
export interface RecordedExchange {
  readonly id: string;
  readonly operationId: string;
  readonly request: { method: string; url: string; headers: Record<string, string>; body?: string };
  readonly response?: { status: number; headers: Record<string, string>; body: string };
  readonly failure?: string;
  readonly startedAt: string;
  readonly durationMs: number;
}
