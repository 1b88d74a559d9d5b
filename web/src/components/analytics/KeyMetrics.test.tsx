// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Analytics, AnswerCost } from "../../api/types";
import { KeyMetrics } from "./KeyMetrics";

function answer(unchanged: number, cached: number | null): AnswerCost {
  return {
    conversation_id: "here",
    turn: 1,
    seq: 2,
    full_history_tokens: 1_000,
    context_tokens: 1_000,
    unchanged_tokens: unchanged,
    cached_tokens: cached,
    mode: "compressed",
    estimated: false,
  };
}

function report(...answers: AnswerCost[]): Analytics {
  const total = (size: (answer: AnswerCost) => number | null) =>
    answers.reduce((sum, one) => sum + (size(one) ?? 0), 0);
  return {
    full_history_tokens: total((one) => one.full_history_tokens),
    context_tokens: total((one) => one.context_tokens),
    unchanged_tokens: total((one) => one.unchanged_tokens),
    cached_tokens: total((one) => one.cached_tokens),
    digest_tokens: 0,
    net_saved_tokens: 0,
    compactions: 0,
    fact_survival: null,
    feedback: { compressed: { up: 0, down: 0 }, full: { up: 0, down: 0 } },
    by_purpose: {},
    by_turn: answers,
    by_day: [],
  };
}

function promptCache(): string | null | undefined {
  return screen.getByText("Tokens from the cache").nextElementSibling?.textContent;
}

afterEach(cleanup);

describe("the prompt cache in KeyMetrics", () => {
  it("shows the provider's cached tokens beside the unchanged share of the prompts", () => {
    render(<KeyMetrics report={report(answer(0, 0), answer(900, 768))} />);
    expect(promptCache()).toBe("76845% of sent tokens unchanged since the previous answer");
  });

  it("shows no number of a provider that reports none", () => {
    render(<KeyMetrics report={report(answer(0, null), answer(900, null))} />);
    expect(promptCache()).toBe("–45% of sent tokens unchanged since the previous answer");
  });

  it("shows a cache that was never hit as zero", () => {
    render(<KeyMetrics report={report(answer(500, 0))} />);
    expect(promptCache()).toBe("050% of sent tokens unchanged since the previous answer");
  });
});
