"""Answer questions with a model, and store the answers.

    start      commit the question and an empty row for the answer, owned by this process
    context    build the context, and publish its receipt
    generate   stream the model's reply; flush the answer so far to its row every second
    finish     set the status to complete, interrupted or error, and enqueue the jobs

Each answer is written by its own task and does not depend on its readers. It can be read from the
start or from any cursor, while it is written or afterwards; see `stream_events`. If another process
writes it, it is read from its row.
"""
