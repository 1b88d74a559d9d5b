"""Files that can be imported: our own export, ChatGPT's and Claude's, detected by their content.

    archive        the ZIP that a file may come in
    json_splitter  bytes to top-level JSON objects, chunk by chunk
    reader         detects the format and parses object by object
    native         the lines of our own export; `native_rows` parses each kind of line
    chatgpt        ChatGPT's conversations
    claude         Claude's conversations
    foreign        helpers of the last two; `branches` puts a tree of messages in sequence

The importers do not use the database: they turn JSON objects into rows, or raise InvalidInput.

To add the format of another application, write a module with `matches` and `parse` like `chatgpt`,
and list it in `reader.FOREIGN_FORMATS`.
"""
