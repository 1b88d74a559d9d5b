"""Files that can be imported: our own export, ChatGPT's and Claude's, told apart by their content.

    stream     bytes to top-level objects, a chunk at a time
    ours       the lines of our own export
    chatgpt    a conversation of ChatGPT's `conversations.json`
    claude     a conversation of Claude's
    tree       branches in one line
    values     what comes out of all that, ready to be stored

None of them knows the database: they turn objects into values, or refuse them.
"""
