"""Files that can be imported: our own export, ChatGPT's and Claude's, told apart by their content.

    archive    the ZIP that a file may come in
    stream     bytes to top-level objects, a chunk at a time
    reading    which kind of file it is, and its objects one by one
    ours       the lines of our own export; `rows` and `fields` check what they say
    chatgpt    a conversation of ChatGPT's, and `claude` one of Claude's; `tree`: branches in line
    adopt      such a conversation as one of ours, with numbers by `numbering`
    values     what comes out of all that, ready to be stored

None of them knows the database: they turn objects into values, or refuse them.
"""
