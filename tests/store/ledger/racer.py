"""Charge a ledger as fast as it lets one: url, user, pool, content, ε, how often."""

from __future__ import annotations

import sys

from curator_gui.store.ledger import LedgerBusyError, Request, RequestRefusedError, open_ledger


def main(arguments: list[str]) -> None:
    url, user, pool, content, epsilon, count = arguments
    ledger = open_ledger(url, user=user or None, wait=60)
    for _ in range(int(count)):
        request = Request.of(pool, bytes.fromhex(content), epsilon, accept_less=True)
        while True:
            try:
                print(ledger.charge(request).entry, flush=True)
            except RequestRefusedError:
                print("refused", flush=True)
            except LedgerBusyError:
                continue
            break


main(sys.argv[1:])
