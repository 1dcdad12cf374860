import { expect, it } from "vitest";
import type { Effect } from "../effects/index.ts";
import { ungatedMessage } from "./messages.ts";

function messageFor(api: string): string {
  const effect: Effect = { capability: "pay", api, root: "stripe", writes: true, told: "resolved", call: 0, span: [0, 1], statement: 0, function: 0, receiver: null };
  return ungatedMessage(effect, { kind: "outside" }, [{ name: "guarded", line: 1, path: null, atBase: false }], false);
}

it.each(["stripe.customers.create", "stripe.checkout.sessions.create", "stripe.PaymentIntent.create"])("%s writes to a payment service", (api) => {
  expect(messageFor(api)).toContain(`${api} writes to a payment service outside of guarded`);
});

it.each(["stripe.refunds.create", "stripe.Charge.create", "stripe.paymentIntents.capture", "web3.Web3.eth.send_raw_transaction"])("%s moves money", (api) => {
  expect(messageFor(api)).toContain(`${api} moves money outside of guarded`);
});

it("says what comes after a gate that only begins something", () => {
  const effect: Effect = { capability: "db.write", api: "db.run", root: "db", writes: true, told: "resolved", call: 0, span: [0, 1], statement: 0, function: 0, receiver: null };
  const gate = { name: "beginWork", line: 1, path: "work.ts", atBase: false, begins: true as const };
  expect(ungatedMessage(effect, { kind: "outside" }, [gate], false)).toMatch(/Make the call after beginWork, in the same function\.$/);
  const called = { kind: "called" as const, place: { path: "app.ts", span: [0, 1] as const, name: "add", of: null }, sure: true };
  expect(ungatedMessage(effect, called, [gate], false)).toMatch(/Make that call after beginWork too\.$/);
});
