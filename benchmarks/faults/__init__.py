"""A load while the prefill replica is killed again and again: this service, and the application that Ray publishes.

    python -m benchmarks.faults [--seconds 120] [--every 15] [--clients 8] [--only ours|theirs] [--json]

Every answer is compared with the answer to the same prompt before the first kill.
"""
