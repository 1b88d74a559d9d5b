import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "./error";
import { readEventStream, parseEvent, type AnswerEvent } from "./stream";

const id = "0199a1b2-0000-7000-8000-000000000001";
const wire =
  `id: ${id}:0.0.0:\ndata: {"type":"start","messageId":"${id}","messageMetadata":{"conversation_id":"c"}}\n\n` +
  ": still here\n\n" +
  `id: ${id}:0.4.0:t\ndata: {"type":"text-delta","id":"0","delta":"Ciò 🦊"}\n\n` +
  `id: ${id}:0.4.0:\ndata: {"type":"finish"}\n\ndata: [DONE]\n\n`;

function answer(pieces: readonly Uint8Array[], failure?: Error): Response {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      pieces.forEach((piece) => controller.enqueue(piece));
      if (failure) controller.error(failure);
      else controller.close();
    },
  });
  return new Response(body);
}

async function readAll(response: Response): Promise<AnswerEvent[]> {
  const events: AnswerEvent[] = [];
  for await (const event of readEventStream(response)) events.push(event);
  return events;
}

afterEach(() => {
  vi.useRealTimers();
});

describe("readEventStream", () => {
  it("parses the same events wherever the network splits the bytes", async () => {
    const bytes = new TextEncoder().encode(wire);
    const whole = await readAll(answer([bytes]));
    expect(whole.map(({ event }) => event.type)).toEqual(["start", "text-delta", "finish"]);
    expect(whole[1]).toEqual({
      id: `${id}:0.4.0:t`,
      event: { type: "text-delta", id: "0", delta: "Ciò 🦊" },
    });
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(await readAll(answer([bytes.slice(0, cut), bytes.slice(cut)]))).toEqual(whole);
    }
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(await readAll(answer(single))).toEqual(whole);
  });

  it("throws an ApiError when the connection breaks", async () => {
    const broken = answer([new TextEncoder().encode(wire.slice(0, 200))], new TypeError("network"));
    await expect(readAll(broken)).rejects.toBeInstanceOf(ApiError);
  });

  it("times out and closes a silent connection", async () => {
    vi.useFakeTimers();
    const cancelled = vi.fn();
    let send: (text: string) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = (text) => controller.enqueue(new TextEncoder().encode(text));
      },
      cancel: cancelled,
    });
    const failed = vi.fn();
    const reading = readAll(new Response(body)).catch(failed);
    send(wire.slice(0, 200));
    await vi.advanceTimersByTimeAsync(44_000);
    send(": still here\n\n");
    await vi.advanceTimersByTimeAsync(44_000);
    expect(failed).not.toHaveBeenCalled();

    await vi.advanceTimersByTimeAsync(1_000);
    await reading;
    expect(failed).toHaveBeenCalledWith(expect.objectContaining({ status: 0 }));
    expect(cancelled).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("clears its timer at the end", async () => {
    vi.useFakeTimers();
    await readAll(answer([new TextEncoder().encode(wire)]));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("parseEvent", () => {
  it("ignores data that is not an event", () => {
    expect(parseEvent("[DONE]")).toBeNull();
    expect(parseEvent("not json")).toBeNull();
    expect(parseEvent("null")).toBeNull();
  });
});
